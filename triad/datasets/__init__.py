"""Question sets with gold answers, in the formats that they are published in.

Whatever a set looks like, it becomes a `DataSet` of `Item`s: a question, and its gold as stored answers, as a query
that gives them, or as both. A malformed record is left out, and reported with file, id and reason; with ``strict`` it
is an error.

>>> questions = load_dataset("configs/demo/questions.json", language="en", strict=True)
>>> questions.items[0].question.text
'What is the capital of Switzerland?'

The format is detected from the content, or named:

==================  ====================================================================================
``qald``            QALD-JSON of QALD-5 to -10, QALD-9-plus, YAGO-QA, DBLP-QA and MAG-QA
``lcquad1``         LC-QuAD 1.0
``lcquad2``         LC-QuAD 2.0, the gold query for Wikidata
``lcquad2-dbpedia`` LC-QuAD 2.0, the gold query for DBpedia 2018
``text2sparql``     YAML of the TEXT2SPARQL challenge; ``answers`` names its result-set JSON
``metaqa``          MetaQA text, with the question types and gold queries that lie beside it
``webqsp``          WebQSP
``cwq``             ComplexWebQuestions
``crp``             records of reasoning paths: instruction, input and output
``dialogues``       dialogues whose turns have a stand-alone form: each such turn is a question
``nuggets``         conversations whose turns have values with tolerances or nuggets as gold
``jsonl``           one object a line, or a list of them: id, question, answers and/or sparql
``csv``             the same as columns; several answers are separated by ``|``
==================  ====================================================================================

A file may be compressed, as ``questions.json.gz``. A question without an id of its own gets one from its text, so that
an id never depends on the order of the file.
"""

from triad.datasets.base import DataSet, Item, Malformed
from triad.datasets.loading import FORMATS, load_dataset

__all__ = ["FORMATS", "DataSet", "Item", "Malformed", "load_dataset"]
