"""The publisher of sums, without network or disk: rounds end when all have answered, or enough have and time is over.

What it was told and what it said is in its store, so that it goes on where it was killed: the states of a sum are made
again from the messages.
"""

from __future__ import annotations

from threading import RLock
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import NoSolution, ReportError
from sfumato.frozen import dataclass
from sfumato.mechanism.secure_sum.holder import too_few
from sfumato.mechanism.secure_sum.publisher import Sum
from sfumato.together.construction import coded_labels
from sfumato.together.judging import kept_by, not_added_up, sized, told_by_sizes
from sfumato.together.sealing import added
from sfumato.together.sums.joint import counted, made_of
from sfumato.together.sums.run import Run, again, numbered, too_late
from sfumato.together.sums.session import TUPLES, VALUES, first_terms, second_terms
from sfumato.together.wire import Kind, packed, unpacked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from sfumato.mechanism.secure_sum.terms import Terms as SumTerms
    from sfumato.together.keys import Identity
    from sfumato.together.phases import Store
    from sfumato.together.publisher import Publisher
    from sfumato.together.sums.session import Sums
    from sfumato.together.terms import Terms
    from sfumato.together.wire import Envelope
    from sfumato.types import BoolArray, IntArray

    Written = Callable[["Released"], Mapping[str, object]]


@dataclass(frozen=True, slots=True, eq=False)
class Released:
    """What is written.

    Args:
        labels: for each quasi-identifier the text of each class, None: missing.
        table: (n, combinations) int64 rows of each class with each combination of carried values; where noisy counts are
            published (n,) int64 of each declared tuple.
        in_classes: rows in all classes that were made, published or not.
    """

    labels: tuple[tuple[str | None, ...], ...]
    table: IntArray
    in_classes: int


class SumPublisher:
    """One joint publication by sums.

    Args:
        base: a publisher with the same terms, identity and store: it enrols holders and signs.
        sums: what is added.
        clock: seconds that pass.
        write: writes the release, and says what its files are.
    """

    def __init__(self, base: Publisher, sums: Sums, clock: Callable[[], float], write: Written) -> None:
        self.base, self.sums, self.clock, self.write = base, sums, clock, write
        self._lock, self._since = RLock(), (Kind.INVITATION, clock())
        self._runs: dict[int, Run] = {}

    @property
    def terms(self) -> Terms:
        """What is agreed on."""
        return self.base.terms

    @property
    def identity(self) -> Identity:
        """Who publishes."""
        return self.base.identity

    @property
    def store(self) -> Store:
        """What was said."""
        return self.base.store

    @property
    def name(self) -> str:
        """Who publishes."""
        return self.base.name

    @property
    def pause(self) -> float:
        """Seconds after which it may have something to say although nobody spoke."""
        return min(1.0, self.sums.said.wait)

    def invite(self, nonce: bytes) -> None:
        """See `Publisher.invite`."""
        self.base.invite(nonce)

    # what holders say

    def receive(self, message: Envelope) -> None:
        """Take a message of a holder.

        Raises:
            ReportError: it is not of this publication or round, or not by whom it says.
            ParameterError: it is not what was sent before in its place, or nobody vouches for its sender.
        """
        if message.kind is not Kind.SUM:
            self.base.receive(message)
            return
        card = self.base.card(message.sender)
        if card is None or message.session != self.base.session or not message.is_by(card.verifying()):
            raise ReportError(
                "A message of a sum must be signed by a holder of this publication.", "look at the address."
            )
        with self._lock:
            self._hear(message)

    def _hear(self, message: Envelope) -> None:
        """A piece of what a holder says in the round that goes on."""
        before = self.store.get(Kind.SUM, message.sender, message.number)
        if before is not None and before.digest == message.digest:
            return
        number, kind, piece = numbered(message)
        run = self._going()
        if run is None or run.number != number:
            raise too_late()
        run.hear(message, kind, piece)

    # what it says

    def advance(self) -> bool:
        """Say what comes next, if it is time; whether something was said."""
        with self._lock:
            return self.base.advance_by(self._advance)

    def _advance(self) -> bool:
        for said, work in (
            (Kind.ROSTER, self._enrol),
            (Kind.CONSTRUCTION, self._construct),
            (Kind.TALLIES, self._tally),
            (Kind.OUTCOME, self._counted_only if self.sums.is_histogram else self._outcome),
            (Kind.PUBLISHED, self._publish),
        ):
            if self.sums.is_histogram and said is Kind.TALLIES:
                continue
            if not self.store.listed(said):
                return work()
        return False

    def _enrol(self) -> bool:
        found = self._all(Kind.ENROL, None)
        if found is None:
            return False
        self.base.say_list(Kind.ROSTER, Kind.ENROL, found, self.base.said(Kind.INVITATION))
        return True

    def _construct(self) -> bool:
        """Classes from the sum of tuples."""
        run = self._going()
        if run is None or not isinstance(run.state, Sum):
            return run is not None and run.turn(self.sums.said.wait)
        if self.sums.is_histogram:
            names = [run.names[place] for place in run.state.holders]
            said = {"holders": names, "unmet": 0, "left_out": None}
            self.base.say(Kind.CONSTRUCTION, packed(said), self.base.said(Kind.ROSTER))
            return True
        made = made_of(self.sums, run.state.counts, self.base.tools)
        labels, codes = coded_labels(made.labels)
        names = [run.names[place] for place in run.state.holders]
        arrays = {"codes": codes, "member": made.member.astype(np.int32), "sizes": made.sizes}
        exact = self.sums.said.epsilon is None
        left_out = made.left_out if exact else None
        said = {"labels": labels, "holders": names, "unmet": made.unmet, "left_out": left_out, "met": made.met}
        body = packed(said, arrays)
        self.base.say(Kind.CONSTRUCTION, body, self.base.said(Kind.ROSTER))
        return True

    def _counted_only(self) -> bool:
        """The sum as it is: noise is in it."""
        run = self._runs.get(TUPLES) or again(self.base, TUPLES, *self._sum_terms(TUPLES), self.clock)
        assert isinstance(run.state, Sum)  # noqa: S101 - else no holders were told
        self.base.say(Kind.OUTCOME, packed({}, {"table": run.state.counts}), self.base.said(Kind.CONSTRUCTION))
        return True

    def _tally(self) -> bool:
        """Sizes as the hospitals counted them."""
        found = self._all(Kind.COUNTS, self.holders())
        if found is None:
            return self._late(Kind.COUNTS)
        self.base.say_list(Kind.TALLIES, Kind.COUNTS, found, self.base.said(Kind.CONSTRUCTION))
        return True

    def _outcome(self) -> bool:
        """What would be published, from the sum of values by class."""
        run = self._going()
        if run is None or not isinstance(run.state, Sum):
            return run is not None and run.turn(self.sums.said.wait)
        large = np.flatnonzero(self._large())
        table = run.state.counts.reshape(-1, self.sums.carried.n)[: len(large)]
        keep = kept_by(self.terms.judged, counted(self.sums, table, self._counted()[1]))
        if self.terms.steering and not keep.all():
            raise not_added_up()
        if not keep.any():
            raise NoSolution("A class must keep all promises; none does.", "ask for less, or publish coarser values.")
        arrays = {"kept": large[keep], "table": table[keep]}
        self.base.say(Kind.OUTCOME, packed({}, arrays), self.base.said(Kind.TALLIES))
        return True

    def _publish(self) -> bool:
        """Write what all approved who are still there."""
        found = self._all(Kind.APPROVAL, self.holders())
        if found is None and self._is_late(Kind.APPROVAL):
            there = sorted({name for name, *_ in self.store.listed(Kind.APPROVAL)} & set(self.holders()))
            if len(there) < self.sums.said.threshold:
                raise too_few(len(there), self.sums.said.threshold)
            found = self._all(Kind.APPROVAL, there)
        if found is None:
            return False
        files = self.write(self.released())
        self.base.say_list(Kind.PUBLISHED, Kind.APPROVAL, found, self.base.said(Kind.OUTCOME), files=files)
        return True

    # what it knows

    def holders(self) -> list[str]:
        """Names of those whose tuples were added."""
        return list(unpacked(self.base.whole(Kind.CONSTRUCTION, self.name))[0]["holders"])

    def released(self) -> Released:
        """What is written."""
        said, arrays = unpacked(self.base.whole(Kind.CONSTRUCTION, self.name))
        _, found = unpacked(self.base.whole(Kind.OUTCOME, self.name))
        if self.sums.is_histogram:
            return Released((), found["table"], 0)
        codes = arrays["codes"][found["kept"]]
        labels = tuple(tuple(names[i] for i in codes[:, j].tolist()) for j, names in enumerate(said["labels"]))
        return Released(labels, found["table"], int(self._sizes().sum()))

    def _counted(self) -> tuple[IntArray, IntArray]:
        """(n,) int64: rows of each class, as the hospitals counted them; and how often values stand in the whole table."""
        whole = added([np.frombuffer(self.base.whole(Kind.COUNTS, name), "<u4") for name in self.holders()])
        n = len(whole) - self.sums.n_totals
        return whole[:n], whole[n:]

    def _sizes(self) -> IntArray:
        """(n,) int64: rows of each class, as the hospitals counted them."""
        return self._counted()[0]

    def _large(self) -> BoolArray:
        """(n,) bool: the classes that are as large as promised."""
        return kept_by(told_by_sizes(self.terms.sized), sized(self._sizes()))

    def _all(self, kind: Kind, names: Iterable[str] | None) -> list[list[str]] | None:
        """Names and digests of what these holders said; None: somebody has not. Without names: all who are to enrol."""
        found = {name: digest for name, _, _, digest in self.store.listed(kind)}
        wanted = sorted(found) if names is None else sorted(names)
        if (names is None and len(found) < self.terms.said.holders) or not set(wanted) <= set(found):
            return None
        return [[name, found[name]] for name in wanted]

    def _is_late(self, kind: Kind) -> bool:
        """Whether a message was waited for long enough."""
        if self._since[0] is not kind:
            self._since = (kind, self.clock())
        return self.clock() - self._since[1] >= self.sums.said.wait

    def _late(self, kind: Kind) -> bool:
        """Nobody whose tuples were added may be missing now."""
        if self._is_late(kind):
            raise ReportError(
                "All hospitals whose tuples were added must stay until the end; one fell silent.",
                "nothing is published; see what a second sum with fewer hospitals would tell.",
            )
        return False

    # sums

    def _going(self) -> Run | None:
        """The sum that goes on, made again from what is stored if need be."""
        number = TUPLES if not self.store.listed(Kind.CONSTRUCTION) else VALUES
        if not self.store.listed(Kind.ROSTER) or (number == VALUES and not self.store.listed(Kind.TALLIES)):
            return None
        if number not in self._runs:
            self._runs[number] = again(self.base, number, *self._sum_terms(number), self.clock)
        return self._runs[number]

    def _sum_terms(self, number: int) -> tuple[list[str], SumTerms]:
        """Who takes part in a sum, and its terms."""
        cards, key = self.base.cards(), bytes.fromhex(self.identity.card.signing)
        names = sorted(cards if number == TUPLES else self.holders())
        keys = [bytes.fromhex(cards[name].signing) for name in names]
        if number == TUPLES:
            return names, first_terms(self.sums, key, self.base.said(Kind.ROSTER), keys)
        return names, second_terms(self.sums, key, self.base.said(Kind.TALLIES), keys, int(self._large().sum()))
