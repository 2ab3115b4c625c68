from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from triad.errors import ConfigError, DataError, ModelError, ResourceNotFound
from triad.models import ReplayModel, ScriptedModel
from triad.models.replay import RecordingModel
from triad.trace import Message, Usage

INTEL = [Message("system", "Be brief."), Message("user", "Question: Who founded Intel?\nAnswer:")]
AMD = [Message("system", "Be brief."), Message("user", "Question: Who founded AMD?\nAnswer:")]
PROMPT = "[system]\nBe brief.\n\n[user]\nQuestion: Who founded Intel?\nAnswer:"


def record(path: Path, *replies: Any) -> Path:
    lines = [json.dumps({"key": "k", "prompt": prompt, "content": content}) for prompt, content in replies]
    path.write_text("\n".join(lines) + "\n\n")
    return path


def test_a_reply_is_found_by_the_whole_prompt(tmp_path: Path) -> None:
    model = ReplayModel(record(tmp_path / "a.jsonl", (PROMPT, "Robert Noyce")))
    completion = model.complete(INTEL)
    assert completion.text == "Robert Noyce"
    assert completion.usage == Usage(calls=1, input_tokens=-(-len(PROMPT) // 4), output_tokens=3)


def test_the_schema_does_not_matter(tmp_path: Path) -> None:
    model = ReplayModel(record(tmp_path / "a.jsonl", (PROMPT, "ok")))
    assert model.complete(INTEL, {"type": "object"}).text == "ok"


def test_the_last_reply_to_a_prompt_counts(tmp_path: Path) -> None:
    first = record(tmp_path / "a.jsonl", (PROMPT, "old"), (PROMPT, "new"))
    assert ReplayModel(first).complete(INTEL).text == "new"
    second = record(tmp_path / "b.jsonl", (PROMPT, "newest"))
    assert ReplayModel([first, str(second)]).complete(INTEL).text == "newest"


def test_a_folder_is_all_its_recordings(tmp_path: Path) -> None:
    record(tmp_path / "a.jsonl", (PROMPT, "ok"))
    assert ReplayModel(tmp_path).complete(INTEL).text == "ok"


def test_a_prompt_that_is_not_recorded_is_compared_with_the_nearest(tmp_path: Path) -> None:
    path = record(tmp_path / "a.jsonl", ("[user]\nUnlike", "x"), (PROMPT, "ok"), ("[user]\nOther", "x"))
    with pytest.raises(ModelError) as caught:
        ReplayModel(path).complete(AMD)
    assert str(caught.value) == (
        f"no reply is recorded for this prompt in {str(path)!r}; record the reply again or use a model. "
        "The nearest of 3 recorded prompts differs:\n"
        "  recorded: 'Question: Who founded Intel?'\n"
        "  asked: 'Question: Who founded AMD?'"
    )


def test_of_a_long_line_the_part_that_differs_is_shown(tmp_path: Path) -> None:
    path = record(tmp_path / "a.jsonl", ("[user]\n" + "x" * 500 + "one" + "y" * 500, "ok"))
    with pytest.raises(ModelError, match=r"xone.*\n.*xtwo") as caught:
        ReplayModel(path).complete([Message("user", "x" * 500 + "two" + "y" * 500)])
    assert len(str(caught.value)) < 600


def test_a_difference_in_blanks_at_the_end_is_shown(tmp_path: Path) -> None:
    path = record(tmp_path / "a.jsonl", ("[user]\nHello", "ok"))
    with pytest.raises(ModelError, match=r"differs:\n  asked: ''$"):
        ReplayModel(path).complete([Message("user", "Hello\n")])


def test_an_empty_recording_says_so(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="which is empty"):
        ReplayModel(record(tmp_path / "a.jsonl")).complete(INTEL)


def test_a_folder_without_recordings_is_named(tmp_path: Path) -> None:
    with pytest.raises(ResourceNotFound, match=r"\*.jsonl"):
        ReplayModel(tmp_path)


@pytest.mark.parametrize("line", ["{", "[]", "1", '{"prompt": "x"}', '{"prompt": "x", "content": 1}'])
def test_a_line_that_is_no_recorded_reply_is_named(tmp_path: Path, line: str) -> None:
    (tmp_path / "a.jsonl").write_text("\n" + line)
    with pytest.raises(DataError, match=r"a.jsonl', line 2: "):
        ReplayModel(tmp_path / "a.jsonl")


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b"\xff\xfe")
    with pytest.raises(DataError, match="cannot read the recording"):
        ReplayModel(tmp_path / "a.jsonl")


def test_what_is_recorded_can_be_replayed(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.jsonl"
    model = RecordingModel(ScriptedModel(["Robert Noyce", "Jerry\nSanders \ud800"]), path)
    recorded = [model.complete(INTEL), model.complete(AMD)]
    replayed = ReplayModel(path)
    assert [replayed.complete(INTEL), replayed.complete(AMD)] == recorded
    assert [sorted(json.loads(line)) for line in path.read_text().splitlines()] == [["content", "key", "prompt"]] * 2


def test_a_recording_is_continued(tmp_path: Path) -> None:
    path = record(tmp_path / "a.jsonl", (PROMPT, "ok"))
    RecordingModel(ScriptedModel(["Jerry Sanders"]), path).complete(AMD)
    assert [ReplayModel(path).complete(ask).text for ask in (INTEL, AMD)] == ["ok", "Jerry Sanders"]


def test_threads_do_not_split_each_others_lines(tmp_path: Path) -> None:
    model = RecordingModel(ScriptedModel(lambda messages, schema: messages[0].content * 5000), tmp_path / "a.jsonl")
    asks = [[Message("user", str(number))] for number in range(50)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(model.complete, asks))
    replayed = ReplayModel(tmp_path / "a.jsonl")
    assert all(replayed.complete(ask).text == ask[0].content * 5000 for ask in asks)


def test_a_recording_that_cannot_be_written_is_named_before_anything_is_asked(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot write the recording"):
        RecordingModel(ScriptedModel([]), tmp_path)


def test_no_folder_has_to_be_made_by_hand(tmp_path: Path) -> None:
    path = tmp_path / "results" / "of" / "today" / "replies.jsonl"
    RecordingModel(ScriptedModel(["a"]), path).complete([Message("user", "q")])
    assert path.is_file()


def test_what_is_recorded_is_appended_and_not_written_anew(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    model = RecordingModel(ScriptedModel(["a", "b", "c"]), path)
    texts = []
    for number in range(3):
        model.complete([Message("user", str(number))])
        texts.append(path.read_bytes())
    assert texts[2].startswith(texts[1])
    assert texts[1].startswith(texts[0])
    assert [json.loads(line)["content"] for line in texts[2].splitlines()] == ["a", "b", "c"]
