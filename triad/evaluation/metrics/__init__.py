"""How well answers agree with gold: every definition that others publish, from one run.

`scoring` measures one question by all definitions, and makes the numbers of a run from that; `significance` puts an
interval around a mean, and tests whether one run is better than another; `calibration` tells whether confidence is
reliable. `definitions.METRICS` gives each definition in a line, with its formula and its source. They differ in
what they compare, and in the score of an empty answer:

=================  ====================================  ====================  ============  ======================
definition         what is compared                      duplicates            both empty    no answer
=================  ====================================  ====================  ============  ======================
GERBIL             set of values of all variables        count once            1             0
Macro F1 QALD      the same                              count once            1             precision 1, recall 0
Triad's paper      list of values of all variables       lower the score       0             0
TEXT2SPARQL        set of values, as strings             count once            dropped       0
corrected set_F    set of values, numbers as numbers     count once            1             0
GRASP              rows, each matched with one of gold   have to be there      dropped       0
Hits@1, MRR, …     distinct values in their order        count once            dropped       0
=================  ====================================  ====================  ============  ======================

Where a set's gold answers are names (`Item.by_name`), an IRI that is answered counts by its label. Turns that are
answered in words, with citations, are measured by `turns`.

>>> from triad.datasets import Item
>>> from triad.evaluation.metrics.scoring import score
>>> from triad.answers import Answer
>>> from triad.rdf import Value
>>> from triad.questions import Question
>>> from triad.rdf import Literal, ResultSet
>>> gold = ResultSet(("x",), ((Literal("a"),), (Literal("b"),)))
>>> answer = Answer(Question("?"), variables=("x",), rows=((Value(Literal("a"), "a"),),))
>>> scores = score(Item(Question("?"), gold), gold, answer)
>>> scores["macro_precision_gerbil"], scores["macro_recall_gerbil"]
(1.0, 0.5)
"""
