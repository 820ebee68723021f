"""RAPPOR step by step: a word becomes a Bloom filter, is randomized once for life and once for each report, and is found again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.mechanism.local.rappor.bloom import bloom_bits, design_bits
from sfumato.mechanism.local.rappor.client import RapporClient
from sfumato.mechanism.local.rappor.decode.decode import decode
from sfumato.mechanism.local.rappor.params import RapporParams
from sfumato.mechanism.local.rappor.simulate import simulate_counts
from sfumato.study.reproduce.experiment import Column, Experiment, Figure, Line, Outcome
from sfumato.study.reproduce.french import NUMBERS

if TYPE_CHECKING:
    from sfumato.mechanism.local.rappor.counts import BitCounts
    from sfumato.mechanism.local.rappor.decode.decoded import Decoded
    from sfumato.study.reproduce.experiment import Cell, Order
    from sfumato.types import FloatArray, IntArray

WORD = "https://news.example/"
PARAMS = RapporParams("course", bits=32, hashes=2, cohorts=8, f="1/2", p="1/2", q="3/4")
NAMES = (
    WORD,
    "https://mail.example/",
    "https://shop.example/",
    "https://bank.example/",
    "https://rare.example/",
    "https://none.example/",
)
SHARES = (0.4, 0.25, 0.2, 0.1, 0.05, 0.0)
PERSONS, QUICK = 200_000, 50_000
REPORTS = 400

_COLUMNS = (
    Column("bit", "bit", "Place in the report.", "count"),
    Column("bloom", "Bloom", "1 where a hash of the word points.", "count"),
    Column("permanent", "permanent", "Drawn once from the Bloom bit, and remembered for life.", "count"),
    Column("first", "1st", "First report: drawn from the permanent bit.", "count"),
    Column("second", "2nd", "Second report: drawn anew.", "count"),
    Column("third", "3rd", "Third report.", "count"),
    Column("often", "of 400", "How often the bit is 1 in 400 reports of one person.", "percent"),
    Column("counted", "of all", "How often it is 1 in one report of each person of the same cohort.", "percent"),
)
FRENCH = {
    "RAPPOR: a word leaves a phone, and is found among many": "RAPPOR : un mot quitte un téléphone, et se retrouve parmi beaucoup",
    "bit": "bit", "Bloom": "Bloom", "permanent": "permanent", "1st": "1er", "2nd": "2e", "3rd": "3e", "of 400": "sur 400", "of all": "sur tous",
    "Place in the report.": "Place dans le rapport.",
    "1 where a hash of the word points.": "1 là où pointe un hachage du mot.",
    "Drawn once from the Bloom bit, and remembered for life.": "Tiré une fois du bit de Bloom, et retenu à vie.",
    "First report: drawn from the permanent bit.": "Premier rapport : tiré du bit permanent.",
    "Second report: drawn anew.": "Deuxième rapport : tiré à nouveau.",
    "Third report.": "Troisième rapport.",
    "How often the bit is 1 in 400 reports of one person.": "Combien de fois le bit vaut 1 dans 400 rapports d'une personne.",
    "How often it is 1 in one report of each person of the same cohort.": "Combien de fois il vaut 1 dans un rapport de chaque personne de la même cohorte.",
    "One person's word on its way: Bloom filter, permanent response, mean of 400 reports": "Le mot d'une personne en chemin : filtre de Bloom, réponse permanente, moyenne de 400 rapports",
    "share of ones": "part de uns",
    "Counts of one cohort, as they came and without any word": "Comptes d'une cohorte, tels qu'arrivés et sans aucun mot",
    "share of reports with a 1": "part des rapports avec un 1",
    "Shares of the words, estimated and true": "Parts des mots, estimées et vraies",
    "candidate": "candidat", "share of persons": "part des personnes",
    "Bloom filter": "filtre de Bloom", "permanent response": "réponse permanente", "400 reports": "400 rapports",
    "counted": "compté", "no word at all": "aucun mot", "true": "vrai", "estimated": "estimé",
}  # fmt: skip


def experiment() -> Experiment:
    """RAPPOR's stages."""
    return Experiment(
        name="rappor",
        what="RAPPOR: a word leaves a phone, and is found among many",
        origin="Ú. Erlingsson, V. Pihur and A. Korolova, RAPPOR, CCS 2014",
        duration="2 seconds",
        run=run,
        runs=(1, 1),
        unit="collections",
        french=FRENCH,
    )


def run(order: Order) -> Outcome:
    """One person's word on its way, then that of many."""
    n, bits = QUICK if order.quick else PERSONS, order.bits()
    secret = np.asarray(order.rng().integers(0, 256, 32), np.uint8).tobytes()
    client = RapporClient(PARAMS, secret)
    bloom = np.zeros(PARAMS.bits, np.int64)
    bloom[bloom_bits(PARAMS, WORD, client.cohort)] = 1
    permanent = client.permanent(WORD).astype(np.int64)
    order.progress(0, 2, "one person")
    reports = np.array([client.report(WORD, bits=bits) for _ in range(REPORTS)], np.int64)
    order.progress(1, 2, "many persons")
    counts = simulate_counts(
        PARAMS, np.array([round(n * share) for share in SHARES]), design_bits(PARAMS, NAMES), rng=order.rng()
    )
    found = decode(PARAMS, counts, NAMES)
    seen = counts.ones[client.cohort] / counts.n[client.cohort]
    rows: list[dict[str, Cell]] = [
        {"bit": i, "bloom": int(bloom[i]), "permanent": int(permanent[i]), "first": int(reports[0, i]),
         "second": int(reports[1, i]), "third": int(reports[2, i]), "often": float(reports[:, i].mean()), "counted": float(seen[i])}
        for i in range(PARAMS.bits)
    ]  # fmt: skip
    english, french = _steps(client, bloom, permanent, found, counts)
    return Outcome(
        _COLUMNS, tuple(rows), _figures(bloom, permanent, reports.mean(axis=0), seen, found), english, french
    )


def _figures(
    bloom: IntArray, permanent: IntArray, often: FloatArray, seen: FloatArray, found: Decoded
) -> tuple[Figure, ...]:
    """One person's bits, one cohort's counts, and the words."""
    places = tuple(float(i) for i in range(PARAMS.bits))
    order = [next(i for i, names in enumerate(found.names) if name in names) for name in NAMES]
    marks = tuple(name.split("//")[1].split(".", maxsplit=1)[0] for name in NAMES)
    return (
        Figure("bits", "One person's word on its way: Bloom filter, permanent response, mean of 400 reports", ("bit", "share of ones"),
               places, (Line("Bloom filter", tuple(map(float, bloom))), Line("permanent response", tuple(map(float, permanent))),
                        Line("400 reports", tuple(map(float, often))))),
        Figure("counts", "Counts of one cohort, as they came and without any word", ("bit", "share of reports with a 1"), places,
               (Line("counted", tuple(map(float, seen))), Line("no word at all", (float(PARAMS.p_star),) * PARAMS.bits, kind="level"))),
        Figure("words", "Shares of the words, estimated and true", ("candidate", "share of persons"),
               tuple(float(i) for i in range(1, len(NAMES) + 1)),
               (Line("estimated", tuple(float(found.share[i]) for i in order), tuple(1.96 * float(found.error[i]) for i in order)),
                Line("true", SHARES, kind="reference", like="estimated")), marks=marks),
    )  # fmt: skip


def _steps(
    client: RapporClient, bloom: IntArray, permanent: IntArray, found: Decoded, counts: BitCounts
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The steps in words, in English and in French."""
    ones, kept, n = int(bloom.sum()), int((bloom == permanent).sum()), counts.total
    named = ", ".join(sorted(" / ".join(found.names[i]) for i in np.flatnonzero(found.found).tolist())) or "–"
    forever, once = PARAMS.epsilon_permanent, PARAMS.epsilon_first
    return (
        f"1. The phone hashes {WORD} {PARAMS.hashes} times into {PARAMS.bits} bits, with the hash functions of its cohort {client.cohort}: {ones} bits are 1.",
        f"2. Permanent response: each bit is kept with chance 1/2, else replaced by a coin; {kept} of {PARAMS.bits} are as before. It is remembered.",
        "3. Each report: a permanent 1 is sent as 1 with chance 3/4, a permanent 0 with chance 1/2. No two reports are alike.",
        f"4. Whoever reads 400 reports learns the permanent response, and no more: the loss stays below {forever:.3f}; of one report it is {once:.3f}.",
        f"5. The server only counts: of {n:,} reports, how many have each bit in each cohort. Without any word each would be {float(PARAMS.p_star):.1%}.",
        f"6. Candidates are tested by least squares on the counts. Found: {named}.",
    ), (
        f"1. Le téléphone hache {WORD} {PARAMS.hashes} fois en {PARAMS.bits} bits, avec les fonctions de sa cohorte {client.cohort} : {ones} bits valent 1.",
        f"2. Réponse permanente : chaque bit est gardé avec une chance de 1/2, sinon remplacé par une pièce ; {kept} sur {PARAMS.bits} sont comme avant. Elle est retenue.",
        "3. Chaque rapport : un 1 permanent est envoyé comme 1 avec une chance de 3/4, un 0 permanent avec une chance de 1/2. Aucun rapport n'est pareil.",
        f"4. Qui lit 400 rapports apprend la réponse permanente, et rien de plus : la perte reste sous {NUMBERS.number(forever, 3)} ; celle d'un rapport est {NUMBERS.number(once, 3)}.",
        f"5. Le serveur ne fait que compter : sur {NUMBERS.number(n, 0)} rapports, combien ont chaque bit dans chaque cohorte. Sans aucun mot, chacun serait à {NUMBERS.number(100 * float(PARAMS.p_star), 1)} %.",
        f"6. Les candidats sont testés par moindres carrés sur les comptes. Trouvés : {named}.",
    )  # fmt: skip
