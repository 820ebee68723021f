"""What is told of a joint publication: what parties may rely on, who learns what, and the result."""

from __future__ import annotations

from dataclasses import replace
from importlib.metadata import version
from typing import TYPE_CHECKING

import numpy as np

from sfumato.document.result.together import HolderCost, Learned, PromisedTogether, TogetherResult
from sfumato.errors import SfumatoError
from sfumato.guarantee.base import Guarantee
from sfumato.guarantee.central_dp import PureCentralDP
from sfumato.guarantee.safepub import UNIT
from sfumato.release.record import plain
from sfumato.release.reread import as_declared
from sfumato.together.joining import numbers_of
from sfumato.together.wire import MALFORMED, Kind, unpacked

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.together.publisher import Publisher
    from sfumato.together.terms import Terms
    from sfumato.types import IntArray

_MOST_RECEIVED = 2**53
"""Bytes that a holder may say it received: a number that readers of JSON keep."""
SECRECY = {
    "hospitals": Guarantee(
        name="publication without a trusted publisher",
        statement="Nobody but its hospital sees a row before it is published, and neither the publisher nor another hospital "
        "knows whose it is.",
        definition="Hospitals show their tuples of quasi-identifiers and send recoded rows behind pads that cancel in the sum "
        "over all; every message is signed, and each hospital checks what the publisher says before it sends its rows.",
        parameters={},
        kind="proved",
        source="T. Allard, B. Nguyen, P. Pucheral, DAPD 32 (2014), for the three phases; D. Chaum, J. Cryptology 1 (1988), "
        "for pads that cancel.",
        assumptions=(
            (
                "The publisher looks at everything and cheats where it is not caught, but colludes with no hospital: one that tells "
                "its keys tells the sender of every row."
            ),
            "Hospitals follow the rules with their own rows; one that does not is noticed, and only sometimes named.",
            "No person has rows in two hospitals: nobody could see it.",
        ),
    ),
    "sums": Guarantee(
        name="publication without a trusted publisher",
        statement="Nobody sees what one hospital has: the publisher sees at most what all of them have together, and no row leaves a "
        "hospital.",
        definition="Hospitals add their counts of declared tuples, and then of carried values by class, by secure sums; before "
        "the second one they count the sizes of classes themselves.",
        parameters={},
        kind="proved",
        source="K. Bonawitz et al., CCS 2017, figure 4.",
        assumptions=(
            (
                "At most as many hospitals as the terms say tell the publisher all they know; with these it knows the sums of "
                "the others, and without noise those of all."
            ),
            "Whoever was in the first sum is in every later one: two sums, with and without a hospital, tell what it has.",
            "Hospitals count their own rows truly; nobody could see if one does not.",
        ),
    ),
    "tokens": Guarantee(
        name="publication without a trusted publisher",
        statement="Nobody sees a row with its sender but its token and the one token that recodes its partition.",
        definition="Tokens show their quasi-identifiers and hand in the other cells in a box; a token that recodes a partition "
        "checks that it is whole, fixed and large enough, opens it, and gives the rows back mixed.",
        parameters={},
        kind="proved",
        source="T. Allard, B. Nguyen, P. Pucheral, DAPD 32 (2014).",
        assumptions=(
            (
                "The publisher looks at everything and cheats where it is not caught. A token that colludes with it gives away the "
                "partition that it recodes."
            ),
            "All tokens share one key and keep it: a token whose key is taken out opens all rows.",
            "All tokens come back once to say which root they saw, and none says so of two.",
        ),
    ),
}
"""What parties may rely on, by kind of holder."""
_FAILED = "which classes are left out because their values break a promise; not their values"
"""What the publisher learns of values before it sees the release, where holders judge them; see `LEARNS`."""
_JOINED = (
    "which classes are joined because the values of one of them break a promise; from the values of all of them together it "
    "may conclude what that one has, as may whoever knows the quasi-identifiers of everybody"
)
"""What it learns where they join classes."""
LEARNS = {
    "hospitals": (
        Learned(
            who="publisher",
            what=(
                "the distinct tuples of quasi-identifiers of each hospital, and what their persons ask for, with their numbers",
                "how many rows of each class each hospital has, and how many it publishes",
                _FAILED,
            ),
        ),
        Learned(
            who="hospitals",
            what=(
                "how many rows each of the others has and publishes, and how long its longest cells are",
                "which values of judged columns each of the others has",
                (
                    "sizes of all classes and how often each judged value is in them, over all hospitals together; with two "
                    "hospitals that is what the other one has"
                ),
                "the rows of the release before it is published, in an order of chance",
            ),
        ),
        Learned(
            who="recipients", what=("how many messages and bytes each hospital sent, and how many it says it received",)
        ),
    ),
    "sums": (
        Learned(
            who="publisher",
            what=(
                "how many rows of each declared tuple all hospitals have together; with `epsilon`: with noise",
                "sizes of all classes",
                "how often carried values occur in classes that are large enough, also in those that are left out for them",
                "which hospitals took part, and which fell silent when",
            ),
        ),
        Learned(
            who="hospitals",
            what=(
                "sizes of all classes",
                (
                    "which declared tuples occur, as far as the classes tell it: where each value has one label, only which "
                    "values occur"
                ),
            ),
        ),
        Learned(
            who="recipients", what=("how many messages and bytes each hospital sent, and how many it says it received",)
        ),
    ),
    "tokens": (
        Learned(
            who="publisher",
            what=(
                "quasi-identifiers of each row and what its person asks for, with who carried it",
                "the rows of each partition, recoded and mixed within it",
                _FAILED,
            ),
        ),
        Learned(who="tokens", what=("for whoever recodes a partition: all its rows, with their quasi-identifiers",)),
        Learned(who="carriers", what=("numbers and classes of all rows, and what tokens recoded",)),
        Learned(
            who="recipients", what=("how many messages and bytes each carrier sent, and how many it says it received",)
        ),
    ),
}
"""Who learns what beside the release, by kind of holder."""
_STEERED = {
    "publisher": "how often each value of columns with promises stands in each declared tuple, over all hospitals together",
    "hospitals": "how often each of these values stands in the whole table, over all hospitals together",
}
"""What sums tell beside where such promises steer the construction."""
_ASKED = {
    "publisher": "how many persons of each declared tuple ask for which k, over all hospitals together",
    "hospitals": "the largest k that was met",
}
"""What sums tell beside where persons ask for their own k."""

_SAMPLED = {
    "publisher": "of all this only rows that each hospital sampled by its own coins, at the levels of the plan; also of classes "
    "that are too small: what it sees is a sample, and not differentially private",
    "hospitals": "nothing of classes that are too small; who of its own persons was sampled",
}
"""What sums tell where each hospital samples its rows."""
_AT_LEVELS = {"publisher": "of declared tuples only the levels that the terms say"}
"""What sums tell where values are counted at levels."""

_COUNTED = (
    Learned(who="publisher", what=("which hospitals took part, and which fell silent when",)),
    Learned(who="hospitals", what=("which hospitals took part",)),
    Learned(
        who="recipients", what=("how many messages and bytes each hospital sent, and how many it says it received",)
    ),
)
"""Where noisy counts are published nobody sees more of rows than recipients do."""


def promises_of(terms: Terms) -> tuple[Guarantee, ...]:
    """What the release promises: what the plan says or, for noisy counts, what the noise of honest hospitals gives."""
    sums = terms.said.sums
    if sums is None or sums.publish != "counts" or sums.epsilon is None:
        return tuple(as_declared(one.guarantee(), None) for one in terms.plan.promises)
    shared = (
        f"At least {sums.threshold - sums.colluding} of the hospitals that answer draw their shares of noise as they should "
        "and tell nobody; the publisher need not be trusted, as it sees no more than recipients."
    )
    found = PureCentralDP(sums.epsilon, UNIT).guarantee()
    return (replace(found, assumptions=(shared, *found.assumptions[1:])),)


def learns_of(terms: Terms) -> tuple[Learned, ...]:
    """Who learns what beside the release."""
    if terms.said.sums is None:
        told = LEARNS[terms.said.kind]
        if not terms.joins:
            return told
        return tuple(
            replace(one, what=tuple(_JOINED if what == _FAILED else what for what in one.what)) for one in told
        )
    if terms.said.sums.publish == "counts":
        return _COUNTED
    more = [_STEERED] * bool(terms.steering) + [_ASKED] * (terms.plan.personal_k is not None)
    more += [_SAMPLED] * (terms.sampling is not None) + [_AT_LEVELS] * bool(terms.said.sums.levels)
    return tuple(
        replace(one, what=(*one.what, *(told[one.who] for told in more if one.who in told))) for one in LEARNS["sums"]
    )


def result_of(publisher: Publisher, of: IntArray, left_out: int, told: Mapping[str, object]) -> TogetherResult:
    """The result of a publication that all holders approved.

    Args:
        publisher: knows all messages.
        of: (n,) class of each published row.
        left_out: rows of classes that broke a promise about sensitive values.
        told: of the file.
    """
    said, _ = unpacked(publisher.whole(Kind.CONSTRUCTION, publisher.name))
    sizes = np.bincount(of) if len(of) else np.zeros(0, np.int64)
    sizes, terms = sizes[sizes > 0], publisher.terms.said
    if terms.sums is not None and terms.sums.publish == "counts":
        sizes = sizes[:0]
    kind = terms.kind if terms.sums is None else "sums"
    return TogetherResult(
        sfumato=version("sfumato"),
        variant=kind,
        terms=publisher.terms.digest,
        session=publisher.session,
        plan=plain(publisher.terms.plan.document),
        promise=tuple(promised(one) for one in promises_of(publisher.terms)),
        secrecy=promised(SECRECY[kind]),
        learns=learns_of(publisher.terms),
        rows=len(of),
        classes=len(sizes),
        smallest=int(sizes.min()) if len(sizes) else None,
        unmet=int(said["unmet"]),
        suppressed=said["left_out"],
        left_out=left_out,
        holders=_costs(publisher),
        file=str(told["file"]),
        sha256=str(told["sha256"]),
        joined=numbers_of(publisher.into())[2] if publisher.terms.joins else 0,
    )


def promised(one: Guarantee) -> PromisedTogether:
    """A promise as results tell it."""
    return PromisedTogether(
        name=one.name,
        statement=one.statement,
        definition=one.definition,
        assumptions=one.assumptions,
        source=one.source,
    )


def _costs(publisher: Publisher) -> tuple[HolderCost, ...]:
    """Messages and bytes of each holder, and its approval."""
    found = publisher.store.costs()
    approved = {sender: digest for sender, _, _, digest in publisher.store.listed(Kind.APPROVAL)}
    return tuple(
        HolderCost(
            name=name, messages=found[name][0], bytes=found[name][1], approved=approved.get(name),
            received=_received(publisher, name) if name in approved else None,
        )
        for name in publisher.enrolled()
    )  # fmt: skip


def _received(publisher: Publisher, name: str) -> int | None:
    """Bytes that a holder says it received; None: it says nothing that can be read."""
    try:
        said = unpacked(publisher.whole(Kind.APPROVAL, name))[0]["received"]
    except (*MALFORMED, SfumatoError):
        return None
    return said if type(said) is int and 0 <= said < _MOST_RECEIVED else None
