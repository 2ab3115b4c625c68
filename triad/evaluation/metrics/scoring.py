"""One question by all definitions, and the numbers of a run from that."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from triad.answers import Answer
from triad.datasets import Item
from triad.evaluation.metrics import sets
from triad.evaluation.metrics.definitions import METRICS, TURN_METRICS
from triad.evaluation.metrics.queries import linking_recall, projected
from triad.rdf import IRI, ResultSet, Value
from triad.trace import Trace

_LINKING = (
    ("entity_recall_before", "entities_proposed", "entities_wanted"),
    ("entity_recall", "entities_found", "entities_wanted"),
    ("relation_recall_before", "relations_proposed", "relations_wanted"),
    ("relation_recall", "relations_found", "relations_wanted"),
)


Scores = Mapping[str, float | None]
"""One question, by all definitions.

A metric that is a mean over questions has the question's value under its name, None where its definition drops the
question. The others are made of counts: ``true_positives``, ``answered`` and ``wanted`` of the micro averages,
``entities_proposed``, ``entities_found``, ``entities_wanted`` and the same of relations of linking.
"""


def score(item: Item, gold: ResultSet, answer: Answer | None, trace: Trace | None = None) -> Scores:
    """Measure an answer by all definitions.

    A question that failed has no answer, and a trace of how far it came.
    """
    names = frozenset(_flat_gold(gold)) if item.by_name else frozenset()
    rows = [tuple(_string(value, names) for value in row) for row in answer.rows] if answer else []
    wanted, given = _flat_gold(gold), _flat(rows, answer.boolean if answer else None)
    wanted_set, given_set = frozenset(wanted), frozenset(given)
    right = len(wanted_set & given_set)
    precision, recall = sets.precision_recall(right, len(given_set), len(wanted_set))
    silent = bool(wanted) and not given
    triad_precision, triad_recall = _share(right, given), _share(right, wanted)
    return {
        "macro_precision_gerbil": precision,
        "macro_recall_gerbil": recall,
        "macro_f1_gerbil": sets.harmonic(precision, recall),
        "macro_precision_qald": 1.0 if silent else precision,
        "macro_recall_qald": recall,
        "triad_precision": triad_precision,
        "triad_recall": triad_recall,
        "triad_f1": sets.harmonic(triad_precision, triad_recall),
        "set_f_challenge": sets.challenge_f(wanted_set, given_set),
        "ndcg_challenge": sets.challenge_ndcg(wanted_set, given_set) if item.order_matters else None,
        "set_f": sets.set_f(wanted_set, given_set),
        "grasp_f1": _grasp(item, gold, answer, rows),
        **_ranked(item, wanted, given),
        "true_positives": float(right),
        "answered": float(len(given_set)),
        "wanted": float(len(wanted_set)),
        **linking_recall(item, answer, trace),
    }


def aggregate(scored: Iterable[Scores]) -> dict[str, float]:
    """Return the numbers of a run, by the names of `METRICS`.

    nDCG is left out where the order of no answer matters, recall of linking where no gold query tells what was to be
    linked. Any other number is 0 where no question has a value for it. Turns that are answered in words have the
    numbers of `TURN_METRICS`, as far as one of them has a value.
    """
    columns: defaultdict[str, list[float]] = defaultdict(list)
    for one in scored:
        for name, value in one.items():
            if value is not None:
                columns[name].append(value)
    sums = {name: sum(values) for name, values in columns.items()}
    if "right" in columns:
        whole = sums["cited_sentences"]
        held = {"held_share": sums["held_sentences"] / whole} if whole else {}
        means = {name: sets.mean(columns[name]) for name in columns}
        return {name: one[name] for name in TURN_METRICS for one in (held, means) if name in one}
    counts = [sums.get(name, 0.0) for name in ("true_positives", "answered", "wanted")]
    precision, recall = sets.precision_recall(*counts) if columns else (0.0, 0.0)
    numbers = {name: sets.mean(columns.get(name, ())) for name in METRICS}
    numbers["micro_precision_gerbil"], numbers["micro_recall_gerbil"] = precision, recall
    numbers["micro_f1_gerbil"] = sets.harmonic(precision, recall)
    numbers["macro_f1_qald"] = sets.harmonic(numbers["macro_precision_qald"], numbers["macro_recall_qald"])
    if "ndcg_challenge" not in columns:
        del numbers["ndcg_challenge"]
    for name, part, all_ in _LINKING:
        if sums.get(all_) and part in sums:
            numbers[name] = sums[part] / sums[all_]
        else:
            del numbers[name]
    return numbers


# Values ---------------------------------------------------------------------------------------------------


def _string(value: Value | None, names: frozenset[str]) -> str | None:
    if value is None:
        return None
    return value.label if isinstance(value.term, IRI) and value.label in names else value.term.value


def _flat(rows: Sequence[sets.Row], boolean: bool | None) -> list[str]:
    """Return the values of all variables, row by row; of an ASK the boolean."""
    if boolean is not None:
        return ["true" if boolean else "false"]
    return [value for row in rows for value in row if value is not None]


def _gold_rows(gold: ResultSet) -> list[sets.Row]:
    return [tuple(None if term is None else term.value for term in row) for row in gold.rows]


def _flat_gold(gold: ResultSet) -> list[str]:
    return _flat(_gold_rows(gold), gold.boolean)


def _share(right: int, values: Sequence[str]) -> float:
    return right / len(values) if values else 0.0


# Rows and ranks -------------------------------------------------------------------------------------------


def _grasp(item: Item, gold: ResultSet, answer: Answer | None, rows: Sequence[sets.Row]) -> float | None:
    if gold.boolean is not None:
        if answer is None:
            return 0.0
        return float(gold.boolean == (answer.boolean if answer.boolean is not None else bool(rows)))
    if len(gold.variables) == 1 and item.gold_query and (projected(item.gold_query) or 1) > 1:
        return None  # the set stores the values of several variables in one bag: there are no rows to compare
    return sets.grasp_f(_gold_rows(gold), rows)


def _ranked(item: Item, wanted: Sequence[str], given: Sequence[str]) -> dict[str, float | None]:
    gold = dict.fromkeys(map(sets.canonical, wanted))
    answered = dict.fromkeys(map(sets.canonical, given))
    same = list(gold) == list(answered) if item.order_matters else gold.keys() == answered.keys()
    names = ("hits_at_1", "hit", "p_at_1", "mrr", "hit_at_5")
    rank = next((rank for rank, value in enumerate(answered, start=1) if value in gold), None)
    first = float(rank == 1)
    listed = float(rank is not None and rank <= 5)  # Hit@5
    values = (first, float(rank is not None), first, 1 / rank if rank else 0.0, listed)
    ranked = dict(zip(names, values, strict=True)) if gold else dict.fromkeys(names)
    return {**ranked, "exact_match": float(same)}
