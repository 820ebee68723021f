"""Small contests for tests: their files, teams and submissions."""

import contextlib

import numpy as np
from click.testing import CliRunner

from sfumato.cli.main import commands

MORE = """[limits]
seconds = 60
bytes = 2000000
[quota]
submissions = {submissions}
published = 2
attacks = 2
"""


def contest(folder, *, submissions=50, phases=""):
    """A contest on fixes of five persons in two weeks."""
    rng = np.random.default_rng(1)
    moments = np.datetime64("2015-03-02T08:00:00") + np.sort(rng.integers(0, 12 * 86_400, 300))
    rows = [
        f"{i % 5}\t{str(moment).replace('T', ' ')}\t{45 + i % 5 / 10 + rng.normal(0, 0.01):.6f}\t{4 + rng.normal(0, 0.01):.6f}"
        for i, moment in enumerate(moments)
    ]
    (folder / "original.tsv").write_text("\n".join(rows) + "\n")
    (folder / "contest.toml").write_text(
        'format = "sfumato.contest/1"\nname = "Spring"\ngame = "insanonym"\n[table]\noriginal = "original.tsv"\n'
        + MORE.format(submissions=submissions)
        + phases
    )
    return folder


def told(folder, *words):
    """What a command prints."""
    with contextlib.chdir(folder):
        result = CliRunner().invoke(commands, words)
    assert result.exit_code == 0, (result.output, result.exception)
    return result.stdout.strip()


def team(folder, name, *words):
    """The headers of a new team."""
    return {"Authorization": f"Bearer {told(folder, 'arena', 'team', name, '--store', 'store', *words)}"}


def defended(folder, how, name):
    """A submission by a defence of the contest, as bytes."""
    told(folder, "arena", "defend", how, "--contest", "contest.toml", "-o", name)
    return (folder / name).read_bytes()


WORDS = ("arena", "contest.toml", "--store", "store")
