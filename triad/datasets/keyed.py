"""Sets that are JSON lists of records with a gold query: LC-QuAD 1.0 and 2.0, WebQSP and ComplexWebQuestions (CWQ).

Version 2.0 of LC-QuAD has a query for Wikidata and one for DBpedia 2018, and its question may be missing: then the
paraphrase takes its place. A WebQSP question may have several parses: the first one that its annotators found good and
complete counts, else the first. Answers over Freebase are its ids, as IRIs; one that has only a name is compared by
name.

Sources: https://github.com/AskNowQA/LC-QuAD, https://github.com/AskNowQA/LC-QuAD2.0,
https://www.microsoft.com/en-us/download/details.aspx?id=52763 (WebQSP) and
https://www.tau-nlp.sites.tau.ac.il/compwebq (CWQ).
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from triad import sparql
from triad.datasets import base
from triad.datasets.base import BadRecord, Format, Item, Record, SetFile, has_record_with, listed, require, tagged
from triad.rdf import IRI, ResultSet, Term

_NO_TEXT: Final = ("", "n/a", "na", "none")
_FREEBASE: Final = "http://rdf.freebase.com/ns/"
_STANDARD: Final = {"OR": "||", "xsd:datetime": "xsd:dateTime"}
_VIRTUOSO: Final = re.compile("|".join(rf"(?<![\w?:.]){word}(?!\w)" for word in _STANDARD))
_ID: Final = re.compile(r"[mg]\.\w+\Z")


def _records(name: str, id_key: str) -> Callable[[SetFile], Iterator[Record]]:
    return lambda source: listed(source, source.data, f"{name} is expected, a JSON list of questions", id_key=id_key)


# LC-QuAD --------------------------------------------------------------------------------------------------


def _lcquad1(source: SetFile, place: str, record: Any) -> Item:
    question = source.question(require(record, "corrected_question", str).strip(), record.get("_id"))
    tags = tagged({"template": record.get("sparql_template_id")})
    return Item(question, None, require(record, "sparql_query", str), tags=tags)


def _lcquad2(name: str, key: str) -> Format:
    def item(source: SetFile, place: str, record: Any) -> Item:
        query = require(record, key, str)
        given = (record.get(key) for key in ("question", "paraphrased_question"))
        texts = (one.strip() for one in given if isinstance(one, str))
        if not (text := next((one for one in texts if one.lower() not in _NO_TEXT), "")):
            raise BadRecord("there is no text, neither as 'question' nor as 'paraphrased_question'")
        tags = {name: tag for name in ("template_index", "subgraph") if isinstance(tag := record.get(name), str | int)}
        return Item(source.question(text, record.get("uid")), None, query, tags=tagged(tags))

    return Format(name, has_record_with(key), _records("LC-QuAD", "uid"), item)


# Freebase -------------------------------------------------------------------------------------------------


def _webqsp_records(source: SetFile) -> Iterator[Record]:
    expected = "WebQSP is expected, an object with a list of 'Questions'"
    return listed(source, source.under("Questions"), expected, id_key="QuestionId")


def _webqsp(source: SetFile, place: str, record: Any) -> Item:
    question = source.question(require(record, "RawQuestion", str).strip(), record.get("QuestionId"))
    if not (parses := require(record, "Parses", list)):
        raise BadRecord("there is no parse")
    parse = next((parse for parse in parses if _is_complete(parse)), parses[0])
    gold, by_name = _gold(require(parse, "Answers", list), "AnswerArgument", "EntityName")
    chain, constraints = (parse.get(key) for key in ("InferentialChain", "Constraints"))
    tags = {
        "hops": len(chain) if isinstance(chain, list) and chain else None,
        "constraints": len(constraints) if isinstance(constraints, list) else 0,
    }
    return Item(question, gold, _query(parse.get("Sparql")), tags=tagged(tags), by_name=by_name)


def _is_complete(parse: Any) -> bool:
    comment = parse.get("AnnotatorComment") if isinstance(parse, Mapping) else None
    judged = (comment.get("ParseQuality"), comment.get("QuestionQuality")) if isinstance(comment, Mapping) else ()
    return judged == ("Complete", "Good")


def _cwq(source: SetFile, place: str, record: Any) -> Item:
    question = source.question(require(record, "question", str).strip(), record.get("ID"))
    answers = record.get("answers")
    gold, by_name = _gold(answers, "answer_id", "answer") if isinstance(answers, list) else (None, False)
    tags = tagged({"type": record.get("compositionality_type")})
    return Item(question, gold, _query(record.get("sparql")), tags=tags, by_name=by_name)


def _gold(answers: list[Any], key: str, name: str) -> tuple[ResultSet, bool]:
    """Return answers, and whether one of them is a name in place of an id."""
    if not all(isinstance(answer, Mapping) for answer in answers):
        raise BadRecord(f"answers must be objects, got {answers!r}")
    found = [_answer(answer.get(key), answer.get(name)) for answer in answers]
    return ResultSet(("answer",), tuple((term,) for term, _ in found)), any(by_name for _, by_name in found)


def _answer(key: Any, name: Any) -> tuple[Term, bool]:
    if isinstance(key, str) and _ID.match(key):
        return IRI(_FREEBASE + key), False
    if key not in (None, ""):
        return base.term_of(key), False
    if name in (None, ""):
        raise BadRecord("an answer has neither an id nor a name")
    return base.term_of(name), True


def _query(text: Any) -> str | None:
    """Return a query in standard SPARQL, which Virtuoso's is not in two words; some are notes that there is none."""
    if not isinstance(text, str) or "SELECT" not in text.upper():
        return None
    query = text
    for found in reversed(list(_VIRTUOSO.finditer(sparql.mask(query)))):
        query = query[: found.start()] + _STANDARD[found[0]] + query[found.end() :]
    return query


FORMATS: Final = (
    Format("webqsp", lambda source: source.under("Questions") is not None, _webqsp_records, _webqsp),
    Format("cwq", has_record_with("ID", "question"), _records("CWQ", "ID"), _cwq),
    Format("lcquad1", has_record_with("corrected_question"), _records("LC-QuAD", "_id"), _lcquad1),
    _lcquad2("lcquad2", "sparql_wikidata"),
    _lcquad2("lcquad2-dbpedia", "sparql_dbpedia18"),
)
