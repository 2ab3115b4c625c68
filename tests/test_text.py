from triad.text import remembered


def test_a_value_is_remembered_unless_its_text_is_long() -> None:
    asked: list[str] = []

    @remembered(2, longest=3)
    def size(text: str) -> int:
        asked.append(text)
        return len(text)

    assert [size(text) for text in ("abc", "abc", "abcd", "abcd")] == [3, 3, 4, 4]
    assert asked == ["abc", "abcd", "abcd"]
    assert [size(text) for text in ("d", "e", "abc")] == [1, 1, 3]
    assert asked[3:] == ["d", "e", "abc"]
