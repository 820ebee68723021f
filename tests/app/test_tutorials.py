"""The studio's tutorial in both languages: what one has, the other has, and its pictures are those that its tests made."""

import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
ENGLISH, FRENCH = (DOCS / f"tutorials/{name}.md" for name in ("studio", "studio-fr"))


def sections(page):
    """By section in order: level of its heading, names of its pictures, and what is typed or read as it stands."""
    text = re.sub(r"^```\n(?P<code>.*?)^```\n", lambda block: "".join(f"`{line.split('  ')[0]}`\n" for line in block["code"].splitlines()), page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)  # fmt: skip
    parts = re.split(r"^(#+) .*$", text, flags=re.MULTILINE)[1:]
    return [
        (level, re.findall(r"pictures/([\w-]+)[.\w]*\)", body), sorted(re.findall(r"`([^`]+)`", body)))
        for level, body in zip(parts[::2], parts[1::2], strict=True)
    ]


def test_both_tutorials_have_the_same_sections():
    """In the same order, with the same pictures and the same commands."""
    english, french = sections(ENGLISH), sections(FRENCH)
    assert len(english) > 8
    said = [(level, pictures, [one.replace("DOSSIER", "FOLDER") for one in codes]) for level, pictures, codes in french]
    assert said == english


def test_each_picture_is_there_with_its_words():
    """In the language of the page; `make pictures` makes both, and the studio's tests compare the words."""
    for page, ending in ((ENGLISH, ""), (FRENCH, ".fr")):
        names = re.findall(r"\(\.\./pictures/([^)]+)\)", page.read_text("utf-8"))
        assert len(names) == 5
        for name in names:
            assert name.removesuffix(".png").endswith(".fr") == bool(ending)
            assert (DOCS / "pictures" / name).is_file()
            assert (DOCS / "pictures" / name).with_suffix(".txt").is_file()
