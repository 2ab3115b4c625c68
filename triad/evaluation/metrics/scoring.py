"""One question by all definitions, and the numbers of a run from that.

Turns that are answered in words are measured by values with tolerances or by nuggets, with the evidence that they cite.
Whether a value is given, `triad.evaluation.metrics.stated` tells.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import Final

from triad.answers import Answer
from triad.datasets import Item
from triad.datasets.expected import Expected
from triad.evaluation.metrics import sets
from triad.evaluation.metrics.definitions import METRICS, TURN_METRICS
from triad.evaluation.metrics.queries import linking_recall, tree_of
from triad.evaluation.metrics.stated import given, words_of
from triad.grouping import grouped
from triad.language.detection import detect
from triad.language.pack import languages, load_pack
from triad.rdf import IRI, ResultSet, Value
from triad.trace import Trace

_LINKING = (
    ("entity_recall_before", "entities_proposed", "entities_wanted"),
    ("entity_recall", "entities_found", "entities_wanted"),
    ("relation_recall_before", "relations_proposed", "relations_wanted"),
    ("relation_recall", "relations_found", "relations_wanted"),
)
_PART: Final = re.compile(r" \d+$")  # which part of a thing or of a section it is
_SHOWN: Final = (1, 5, 10)  # the numbers of passages that recall is measured at

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
    columns = grouped((name, value) for one in scored for name, value in one.items() if value is not None)
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
    tree = tree_of(item.gold_query) if len(gold.variables) == 1 and item.gold_query else None
    if tree is not None and len(tree.columns) > 1:
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


# Turns in words -------------------------------------------------------------------------------------------


def score_turn(expected: Expected, answer: Answer | None, trace: Trace | None, *, declined: bool) -> Scores:
    """Measure the answer to a turn, which is declined if it has no answer though nothing failed."""
    silent = declined or (answer is not None and not answer.values and not words_of(answer))
    values: dict[str, float | None] = {"right": float(silent)}
    if expected.kind == "exact":
        wanted = [position for position, one in enumerate(expected.values) if not one.optional]
        stated: set[int] = set()
        if answer is not None:
            told = detect(words_of(answer), answer.question.language or "en")
            stated.update(given(expected, answer, load_pack(told if told in languages() else "en")))
        stated.intersection_update(wanted)
        values |= {"right": float(len(stated) == len(wanted)), "value_recall": len(stated) / len(wanted)}
    if expected.kind == "nuggets":
        text = words_of(answer) if answer else ""
        found = [one for one in expected.nuggets if all(re.search(key, text, re.IGNORECASE) for key in one.keys)]
        right = len(found) >= expected.least and all(one in found for one in expected.nuggets if one.required)
        values |= {"right": float(right), "nugget_recall": len(found) / len(expected.nuggets)}
    answerable = "unanswerable" if expected.kind == "unanswerable" else "answerable"
    values[f"declined_{answerable}"] = float(silent)
    values["citation_precision"] = _precision(expected, answer)
    cited = [one for one in answer.sentences if one.cites] if answer else []
    values["cited_sentences"], values["held_sentences"] = float(len(cited)), float(sum(one.held for one in cited))
    for most in _SHOWN:
        values[f"recall_at_{most}"] = _recall(expected, answer.trace if answer and answer.trace else trace, most)
    return values


# Evidence -------------------------------------------------------------------------------------------------


def _precision(expected: Expected, answer: Answer | None) -> float | None:
    """Return the share of the cited pieces of evidence that are about what supports the gold.

    None where nothing is cited that names a thing or a document, or where the gold names no support.
    """
    supports = expected.supports
    things = {*supports.entities, *supports.aggregated, *(iri for one in expected.nuggets for iri in one.things)}
    things |= {one.iri for one in expected.values if one.iri}
    passages = {*supports.passages, *(id_ for one in expected.nuggets for id_ in one.passages)}
    passages |= {other for others in supports.alternatives.values() for other in others}
    numbers = {number for sentence in answer.sentences for number in sentence.cites} if answer else set()
    found = answer.citations if answer else ()
    cited = [one for one in found if one.number in numbers and (one.things or one.document)]
    if not cited or not (things or passages):
        return None
    documents = [one.document for one in cited if one.document is not None]
    about = sum(PurePath(one).stem in passages for one in documents)
    about += sum(not things.isdisjoint(one.things) for one in cited if one.document is None)
    return about / len(cited)


def _recall(expected: Expected, trace: Trace | None, most: int) -> float | None:
    """Return the share of the supports that are among the first passages of a search; None without search."""
    supports = expected.supports
    wanted = [{iri} for iri in supports.entities]
    wanted += [{id_, *supports.alternatives.get(id_, ())} for id_ in supports.passages]
    searches = [step for step in trace.steps if step.service == "passages"] if trace else []
    if not wanted or not searches:
        return None
    shown = {name for step in searches for id_ in step.candidates[:most] for name in _names(id_)}
    return sum(1 for one in wanted if one & shown) / len(wanted)


def _names(id_: str) -> Iterable[str]:
    """Return what an id of a passage says it is about: the IRI, or the name of the document without its headings."""
    whole = _PART.sub("", id_)
    return whole, PurePath(whole.partition("#")[0]).stem
