"""A survey with a coin, step by step: what is asked, what leaves the phone, what is learned of one person and of all."""

from __future__ import annotations

from fractions import Fraction
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from sfumato.mechanism.local.randomized_response import warner
from sfumato.study.reproduce.experiment import Column, Experiment, Figure, Line, Outcome
from sfumato.study.reproduce.french import NUMBERS

if TYPE_CHECKING:
    from sfumato.mechanism.local.randomized_response import YesNoDesign
    from sfumato.study.reproduce.experiment import Cell, Order

PERSONS, QUICK, SHARE = 10_000, 2_000, 0.12
CHANCES = (Fraction(99, 100), Fraction(9, 10), Fraction(3, 4), Fraction(3, 5), Fraction(11, 20))
_SIZES = (100, 300, 1_000, 3_000, 10_000, 30_000)
_PRIORS = (0.01, 0.05, 0.12, 0.25, 0.5, 0.75, 0.9)

_COLUMNS = (
    Column(
        "chance", "chance of truth", "How often a phone sends the true answer; else it sends the opposite.", "percent"
    ),
    Column("epsilon", "epsilon", "ln(p/(1-p)): what one answer spends."),
    Column("said", "said yes", "Share of all phones that sent yes.", "percent"),
    Column("truth", "truth", "Share of these persons whose answer is yes; nobody but them knows it.", "percent"),
    Column("estimate", "estimate", "(said - (1-p)) / (2p - 1): what the reports tell of all.", "percent"),
    Column("low", "from", "Lower end of its 95 % interval.", "percent"),
    Column("high", "to", "Upper end.", "percent"),
    Column(
        "belief",
        "belief",
        "Chance that a person who sent yes means it, for whoever knows the truth's share.",
        "percent",
    ),
)
FRENCH = {
    "a survey with a coin: what leaves the phone, and what is learned": "une enquête avec une pièce : ce qui quitte le téléphone, et ce qu'on apprend",
    "chance of truth": "chance du vrai", "epsilon": "epsilon", "said yes": "a dit oui", "truth": "vérité", "estimate": "estimation",
    "from": "de", "to": "à", "belief": "croyance",
    "How often a phone sends the true answer; else it sends the opposite.": "Combien de fois un téléphone envoie la vraie réponse ; sinon il envoie le contraire.",
    "ln(p/(1-p)): what one answer spends.": "ln(p/(1-p)) : ce que dépense une réponse.",
    "Share of all phones that sent yes.": "Part de tous les téléphones qui ont envoyé oui.",
    "Share of these persons whose answer is yes; nobody but them knows it.": "Part de ces personnes dont la réponse est oui ; elles seules le savent.",
    "(said - (1-p)) / (2p - 1): what the reports tell of all.": "(dit - (1-p)) / (2p - 1) : ce que les rapports disent de toutes.",
    "Lower end of its 95 % interval.": "Borne inférieure de son intervalle à 95 %.",
    "Upper end.": "Borne supérieure.",
    "Chance that a person who sent yes means it, for whoever knows the truth's share.": "Chance qu'une personne qui a envoyé oui le pense, pour qui connaît la part vraie.",
    "What phones send, by what their persons would say": "Ce qu'envoient les téléphones, selon ce que diraient leurs propriétaires",
    "share whose answer is yes": "part dont la réponse est oui", "share that sent yes": "part qui a envoyé oui",
    "Typical error of the estimate, by number of persons": "Erreur typique de l'estimation, selon le nombre de personnes",
    "persons": "personnes", "standard error of the share": "erreur type de la part",
    "What a sent yes makes of a belief": "Ce qu'un oui envoyé fait d'une croyance",
    "believed before": "croyance avant", "believed after a yes": "croyance après un oui",
    "no coin": "sans pièce", "nothing sent": "rien d'envoyé",
    **{f"truth with {float(p):.0%}": f"vrai avec {100 * float(p):.0f} %" for p in CHANCES},
}  # fmt: skip


def experiment() -> Experiment:
    """The survey with a coin."""
    return Experiment(
        name="survey",
        what="a survey with a coin: what leaves the phone, and what is learned",
        origin="S. Warner, Randomized Response, JASA 60, 1965",
        duration="1 second",
        run=run,
        runs=(1, 1),
        unit="surveys",
        french=FRENCH,
    )


def run(order: Order) -> Outcome:
    """Five coins, one survey each."""
    n = QUICK if order.quick else PERSONS
    truth, bits, rows = (np.arange(n) < SHARE * n).astype(np.int64), order.bits(), []
    for i, chance in enumerate(CHANCES):
        order.progress(i, len(CHANCES), f"truth with {float(chance):.0%}")
        design = warner(chance)
        rows.append(_row(design, truth, design.count_yes(design.randomize(truth, bits=bits))))
    english, french = _steps(rows, n)
    return Outcome(_COLUMNS, tuple(rows), _figures(), english, french)


def _row(design: YesNoDesign, truth: np.ndarray, n_yes: int) -> dict[str, Cell]:
    """One coin."""
    n, share = len(truth), float(truth.mean())
    estimate = design.estimate(n_yes, n)
    reach = NormalDist().inv_cdf(0.975) * design.variance(min(max(estimate, 0.0), 1.0), n) ** 0.5
    return {
        "chance": float(design.yes_if_yes), "epsilon": design.epsilon, "said": n_yes / n, "truth": share,
        "estimate": estimate, "low": estimate - reach, "high": estimate + reach, "belief": _belief(design, share),
    }  # fmt: skip


def _belief(design: YesNoDesign, prior: float) -> float:
    """Chance of a true yes given a sent one."""
    a, b = float(design.yes_if_yes), float(design.yes_if_no)
    return a * prior / (a * prior + b * (1 - prior))


def _figures() -> tuple[Figure, ...]:
    """What is sent, how wrong the estimate is, what is believed."""
    designs = {f"truth with {float(p):.0%}": warner(p) for p in CHANCES}
    shares = (0.0, 0.25, 0.5, 0.75, 1.0)
    sent = tuple(Line(name, tuple(float(one.c) * x + float(one.d) for x in shares)) for name, one in designs.items())
    errors = [Line(name, tuple(one.variance(SHARE, n) ** 0.5 for n in _SIZES)) for name, one in designs.items()]
    errors.append(Line("no coin", tuple((SHARE * (1 - SHARE) / n) ** 0.5 for n in _SIZES), kind="level"))
    beliefs = [Line(name, tuple(_belief(one, x) for x in _PRIORS)) for name, one in designs.items()]
    beliefs.append(Line("nothing sent", _PRIORS, kind="level"))
    return (
        Figure("sent", "What phones send, by what their persons would say",
               ("share whose answer is yes", "share that sent yes"), shares, sent),
        Figure("errors", "Typical error of the estimate, by number of persons",
               ("persons", "standard error of the share"), tuple(map(float, _SIZES)), tuple(errors), log=(True, True)),
        Figure("belief", "What a sent yes makes of a belief", ("believed before", "believed after a yes"), _PRIORS, tuple(beliefs)),
    )  # fmt: skip


def _steps(rows: list[dict[str, Cell]], n: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The steps in words, in English and in French."""
    third = rows[2]
    said, estimate, low, high, belief, truth = (
        100 * float(third[key] or 0) for key in ("said", "estimate", "low", "high", "belief", "truth")
    )
    return (
        f"1. {n:,} persons are asked: did you ever cheat in an exam? Of them {truth:.1f} % did, and would not say so.",
        "2. Each phone tosses a coin before anything leaves it. With p = 3/4 it sends the truth 3 times in 4, else the opposite.",
        f"3. {said:.1f} % of the phones send yes. Whoever sent yes can say that it was the coin: of 100 who did, {100 - belief:.0f} never cheated.",
        "4. Of all phones, those that send yes are p of the true yes and 1-p of the others. Solved for the share: the estimate.",
        f"5. It is {estimate:.1f} %, between {low:.1f} % and {high:.1f} %. More persons make it sharper, as the root of their number.",
        "6. The price: a belief about one person changes by a factor of at most e^epsilon = p/(1-p), whatever was known before.",
        "7. Ask again with a new coin, and the prices add up: thirty answers at p = 3/4 give the person away. So phones remember.",
    ), (
        f"1. On demande à {NUMBERS.number(n, 0)} personnes : avez-vous déjà triché à un examen ? {NUMBERS.number(truth, 1)} % l'ont fait, et ne le diraient pas.",
        "2. Chaque téléphone tire une pièce avant que rien n'en sorte. Avec p = 3/4, il envoie la vérité 3 fois sur 4, sinon le contraire.",
        f"3. {NUMBERS.number(said, 1)} % des téléphones envoient oui. Qui l'a envoyé peut dire que c'était la pièce : sur 100 d'entre eux, {100 - belief:.0f} n'ont jamais triché.",
        "4. Parmi tous les téléphones, envoient oui p des vrais oui et 1-p des autres. En résolvant pour la part, on a l'estimation.",
        f"5. Elle est de {NUMBERS.number(estimate, 1)} %, entre {NUMBERS.number(low, 1)} % et {NUMBERS.number(high, 1)} %. Plus de personnes l'affinent, comme la racine de leur nombre.",
        "6. Le prix : une croyance sur une personne change d'un facteur d'au plus e^epsilon = p/(1-p), quoi qu'on ait su avant.",
        "7. Redemandez avec une nouvelle pièce, et les prix s'ajoutent : trente réponses à p = 3/4 trahissent la personne. Les téléphones se souviennent donc.",
    )  # fmt: skip
