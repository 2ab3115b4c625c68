"""The definition of each metric: formula and source, as reports print them.

G is the gold answer and A the given answer, by default as sets of values of all variables.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["DEFINITIONS", "METRICS", "TURN_METRICS"]

_GERBIL = "GERBIL QA, https://github.com/dice-group/gerbil"
_QALD = "GERBIL QA, issues 211, 217 and 320"
_TRIAD = "Triad's paper, the published evaluator.py without its rounding"
_T2S = "TEXT2SPARQL, https://github.com/AKSW/text2sparql-client, through pytrec_eval"
_GRASP = "GRASP, https://github.com/ad-freiburg/grasp, src/grasp/sparql/metrics.py"
_DIALOGUE = "Chatty-KG, section 6; CONVINSE"
_LINKING = "Triad's paper, section 4.5"

METRICS: Final[Mapping[str, str]] = {
    "macro_precision_gerbil": f"mean over questions of P = |G ∩ A| / |A|; 1 if both are empty, 0 if one is ({_GERBIL})",
    "macro_recall_gerbil": f"mean over questions of R = |G ∩ A| / |G|; 1 if both are empty, 0 if one is ({_GERBIL})",
    "macro_f1_gerbil": f"mean over questions of F1 = 2PR / (P + R); 1 if both are empty, 0 if one is ({_GERBIL})",
    "micro_precision_gerbil": f"Σ|G ∩ A| / Σ|A| over all questions; 1 if both sums are 0 ({_GERBIL})",
    "micro_recall_gerbil": f"Σ|G ∩ A| / Σ|G| over all questions; 1 if both sums are 0 ({_GERBIL})",
    "micro_f1_gerbil": f"2PR / (P + R) of micro precision and micro recall ({_GERBIL})",
    "macro_precision_qald": f"as macro_precision_gerbil, but 1 where nothing was answered ({_QALD})",
    "macro_recall_qald": f"as macro_recall_gerbil ({_QALD})",
    "macro_f1_qald": f"2PR / (P + R) of macro_precision_qald and macro_recall_qald ({_QALD})",
    "triad_precision": f"mean of |set(G) ∩ set(A)| / |A| over lists of values; 0 if A is empty ({_TRIAD})",
    "triad_recall": f"mean of |set(G) ∩ set(A)| / |G| over lists of values; 0 if G is empty ({_TRIAD})",
    "triad_f1": f"mean of 2PR / (P + R) of triad_precision and triad_recall; 0 if both are 0 ({_TRIAD})",
    "set_f_challenge": (
        "mean of 2|G ∩ A| / (|G| + |A|) over sets of strings; an ASK whose gold is TRUE is right with TRUE and with "
        f"FALSE, one whose gold is FALSE never; questions with empty G are dropped ({_T2S})"
    ),
    "ndcg_challenge": (
        "mean of Σ[v ∈ G] / log2(rank(v) + 1), over the same for G alone, of questions whose order matters; the "
        f"client gives all values one weight, and ties are ranked by text, last first ({_T2S})"
    ),
    "set_f": (
        "mean of 2|G ∩ A| / (|G| + |A|); booleans are compared, numbers are compared as numbers, to ten digits or, if "
        "they are longer, to the last one before the point; 1 if G and A are empty (TEXT2SPARQL's set_F without its "
        "quirks)"
    ),
    "grasp_f1": (
        "mean of 2PR / (P + R), P = m / (m + max(0, |A| − |G|)), R = m / |G| over rows; m is the greatest sum over "
        "pairs of a row of A and one of G of the share of the gold row's values that the other has, each row in one "
        "pair, so that extra columns are free; above 1,024 rows only equal rows match, and P = m / |A|; an ASK is "
        f"right or wrong; questions with empty G are dropped ({_GRASP})"
    ),
    "hits_at_1": "share of questions whose first value is in G; those with empty G are dropped (usual for WebQSP, CWQ)",
    "hit": "share of questions with any value in G; those with empty G are dropped (RouterKGQA, appendix C; RoG, GCR)",
    "p_at_1": f"precision of the first value: equals hits_at_1, by its name in dialogues ({_DIALOGUE})",
    "mrr": f"mean of 1 / rank of the first value in G, 0 if none is; those with empty G are dropped ({_DIALOGUE})",
    "hit_at_5": f"share of questions with one of five first values in G; those with empty G are dropped ({_DIALOGUE})",
    "exact_match": "share of questions with G = A, and in the order of G where the order matters",
    "entity_recall_before": (
        "share of the entities and classes of the gold queries that were among the candidates of the mentions, before "
        f"the choice among them ({_LINKING}: the entity matching filter)"
    ),
    "entity_recall": (
        "share of the entities and classes of the gold queries that mentions were linked to, in the query that gave "
        f"the answer ({_LINKING})"
    ),
    "relation_recall_before": (
        "share of the relations of the gold queries, but rdf:type and rdfs:label, that were among the candidates of "
        f"the mentions, before the choice among them ({_LINKING})"
    ),
    "relation_recall": (
        "share of the relations of the gold queries, but rdf:type and rdfs:label, that mentions were linked to, in "
        f"the query that gave the answer ({_LINKING})"
    ),
}
"""For each number that `aggregate` gives its definition in a line."""

TURN_METRICS: Final[Mapping[str, str]] = {
    "right": (
        "share of turns answered rightly: with all values of the gold that are not optional, each in its tolerance, "
        "and no others in their place; with at least as many nuggets as the gold asks for, and all required ones; with "
        "none where the data does not tell (docs/reference/nuggets.md)"
    ),
    "value_recall": "share of the gold's values, but optional ones, that are given; of turns with values",
    "nugget_recall": "share of the gold's nuggets that an answer contains: all keys match; of turns with nuggets",
    "declined_unanswerable": "share declined of the turns that have no answer in the data",
    "declined_answerable": "share declined of the turns that have one; the fewer, the better",
    "citation_precision": (
        "mean share of the pieces of evidence cited that are about a thing or a passage which supports the gold; of "
        "turns with citations that name one"
    ),
    "held_share": "share of all cited sentences whose evidence holds their numbers and names, by the program's check",
    "recall_at_1": "mean share of the supports that are the first passage of a search; of turns that searched",
    "recall_at_5": "mean share of the supports among the first five passages of a search; of turns that searched",
    "recall_at_10": "mean share of the supports among the first ten passages of a search; of turns that searched",
}
"""The same of turns that are answered in words."""

DEFINITIONS: Final[Mapping[str, str]] = {**METRICS, **TURN_METRICS}
"""All of them."""
