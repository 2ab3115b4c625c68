"""Inputs that are nearly right: seeds that are cut, doubled, spliced and sprinkled with what parsers stumble over."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

__all__ = ["mutated"]

_HARSH = (
    b"\x00", b"\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\\ud800", b"\\u0000", b'"', b"'", b"\\", b"\n", b"\r", b"{", b"}", b"[",
    b"]", b"(", b")", b"<", b">", b"null", b"NaN", b"-1", b"1e999", b"9" * 400, b"[" * 200, b"{" * 200, b"(" * 200, b'{"a":' * 200,
    b"A" * 5_000, b"\xe2\x80\xae", b"\xf0\x9f\x9a\xb2", b"&a ", b"*a ", b"<<: ", b"#", b"--", b"/*", b";", b"%00", b"../", b"$X",
)  # fmt: skip


@st.composite
def mutated(draw: st.DrawFn, seeds: Sequence[bytes], pieces: Sequence[bytes] = ()) -> bytes:
    """Return one of the seeds with up to eight changes.

    Args:
        draw: As hypothesis gives it.
        seeds: Inputs that are right, or were found wrong before.
        pieces: What else is put in; words of the input's language.
    """
    content = draw(st.sampled_from(seeds))
    inserted = st.sampled_from([*_HARSH, *pieces]) | st.binary(max_size=4)
    for _ in range(draw(st.integers(0, 8))):
        start, end = sorted((draw(st.integers(0, len(content))), draw(st.integers(0, len(content)))))
        match draw(st.sampled_from("cut double insert replace splice end".split())):
            case "cut":
                content = content[:start] + content[end:]
            case "double":
                content = content[:end] + content[start:end] + content[end:]
            case "insert":
                content = content[:start] + draw(inserted) + content[start:]
            case "replace":
                content = content[:start] + draw(inserted) + content[min(end, start + 12) :]
            case "splice":
                other = draw(st.sampled_from(seeds))
                at = draw(st.integers(0, len(other)))
                content = content[:start] + other[at : at + 200] + content[end:]
            case "end":
                content = content[:end]
        content = content[:50_000]
    return content
