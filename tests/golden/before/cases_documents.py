"""Wrong documents of every kind, made from right ones by `tests/app/mutations.py`; the texts are recorded."""

import random


def cases():
    """A case for each kind; a step for each changed document."""
    from tests.app import fuzz

    for kind in fuzz.KINDS:
        yield from _changed(kind, fuzz)


PER_KIND = 9


def _changed(kind, fuzz):
    """One kind of document, changed in several ways."""
    import contextlib
    import tempfile
    from pathlib import Path

    from tests.app.documents import FILES, JSON, PREPARED, TOML

    words = ("python", "settings", "mutated") if kind == "server" else (TOML | JSON)[kind].command
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        fuzz.prepared(Path(folder))
        texts = [fuzz.changed(kind, random.Random(f"before {kind} {i}"))[0] for i in range(PER_KIND)]  # noqa: S311
    made = [] if kind in TOML else [{"words": list(one)} for one in PREPARED]
    name = next(word for word in words if word.startswith("mutated")) if words else "mutated"
    steps = [{"put": {name: text}, "words": list(words)} for text in texts]
    yield {"name": f"wrong {kind}", "files": dict(FILES), "steps": [*made, *steps]}
