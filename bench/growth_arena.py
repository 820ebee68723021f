"""Which commands of contests grow along which dimension: persons of a table, rows of an attack, pairs of a board."""

from __future__ import annotations

from pathlib import Path

from growth_tables import Line, sfumato

PERSONS = (10, 100, 400)
WEEKS = 2
"""Of each town: some 375 lines a person."""
AT = ("--contest", "town/contest.toml")
MADE, PUBLIC, KEY, ATTACK = "made.tsv", "public.tsv", "key.json", "attack.json"


def example(persons: int) -> list[str]:
    """`arena example`."""
    return ["arena", "example", "town", "--persons", str(persons), "--weeks", str(WEEKS)]


def town(persons: int) -> None:
    """The contest that comes with Sfumato, of so many persons; a file may be as large as it gets."""
    sfumato(*example(persons))
    document = Path("town/contest.toml")
    document.write_text(document.read_text("utf-8").replace("20000000", "500000000"), "utf-8")


def defended(persons: int) -> list[str]:
    """`arena defend`."""
    town(persons)
    return ["arena", "defend", "rounded", *AT, "-o", MADE]


def published(persons: int) -> list[str]:
    """`arena publish` of that."""
    sfumato(*defended(persons))
    return ["arena", "publish", MADE, *AT, "-o", PUBLIC, "--key", KEY]


def guessed(persons: int) -> list[str]:
    """`arena guess` about that."""
    sfumato(*published(persons))
    return ["arena", "guess", "counts", PUBLIC, *AT, "-o", ATTACK]


def attacked(persons: int) -> list[str]:
    """`arena attack` with those guesses."""
    sfumato(*guessed(persons))
    return ["arena", "attack", ATTACK, *AT, "--submission", MADE, "--key", KEY]


def bundled(persons: int) -> list[str]:
    """`arena bundle`."""
    town(persons)
    return ["arena", "bundle", *AT, "--image", "example/sfumato", "-o", "bundle.zip"]


def reported(teams: int) -> list[str]:
    """`arena report` of teams with one published submission each, which eight others attack."""
    from sfumato.arena.command import opened_at
    from sfumato.contest.opening import open_judge

    town(2)
    store, _room = opened_at(Path("store"), None)
    metrics = dict.fromkeys(open_judge(Path("town/contest.toml")).weights, 0.5)
    said = {"worth": 0.5, "metrics": metrics, "attacks": {}, "faults": []}
    names = [f"team {i}" for i in range(teams)]
    with store.holding():
        for name in names:
            store.add_team(name, name, now=0)
        files = [_judged(store, name, None, said) for name in names]
        for i, file in enumerate(files):
            store.publish(file, names[i], now=3, most=1)
        for i in range(teams):
            for step in range(1, 9):
                _judged(store, names[(i + step) % teams], files[i], {"found": 0.1, "faults": []})
    store.close()
    return ["arena", "report", "--store", "store", *AT, "-o", "contest.html"]


def _judged(store: object, team: str, target: int | None, said: dict[str, object]) -> int:
    """The number of a file that was handed in and accepted."""
    number, _new = store.hand_in(team, target, f"{team} on {target}", now=1, most=10**6)
    store.take()
    store.judged(number, "accepted", said, now=2)
    return number


ARENA: list[Line] = [
    Line("arena example", "persons", PERSONS, example),
    Line("arena defend", "persons", PERSONS, defended),
    Line("arena publish", "persons", PERSONS, published),
    Line("arena guess", "persons", PERSONS, guessed),
    Line("arena attack", "persons", PERSONS, attacked),
    Line("arena bundle", "persons", PERSONS, bundled),
    Line("arena report", "teams, each attacked by eight", (10, 50, 200), reported),
]
