"""Small judges for every attack: a release that gives the answer away, and one that says nothing."""

from fractions import Fraction

import numpy as np
from tests.contract.graph_attack_cases import GRAPH_CASES
from tests.contract.trace_attack_cases import TRACE_CASES
from tests.unit.attack.tables import AGES, attributes, counted, illness, persons

from sfumato.attack import (
    assignment,
    averaging,
    definetti,
    differencing,
    downcoding,
    inference,
    intersection,
    linkability,
    membership,
    minimality,
    reconstruction,
    register,
    reidentification,
    sampled_attribute,
    sampled_boosting,
    singling_out,
)  # fmt: skip
from sfumato.attack.base import Seen
from sfumato.attack.likelihood import of_supports
from sfumato.guarantee.coordinate import Coordinate, Encoding
from sfumato.summary.classes import Classes
from sfumato.summary.pair import Pair, value_counts
from sfumato.summary.published import published_at_levels, read_published
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Kind, Role
from sfumato.testing.attack_contract import AttackCase

N = 200
"""Persons of most tables."""
WIDE = [
    bind(Column(f"c{j}", Role.QUASI_IDENTIFYING), [f"{v:03}" for v in range(60)]) for j in range(4)
]  # so many values that a stranger has none of a person's
NO_VALUE = singling_out.ANY


def strangers(rng, n=N):
    """Persons of the wide table."""
    return rng.integers(0, 60, (n, 4))


def raw_of(codes, values):
    """A table published as it is."""
    return published_at_levels(WIDE, counted(codes, values), [0] * 4)


def stars_of(codes, values):
    """A table of which only the number of rows and the sensitive values are published."""
    return published_at_levels(WIDE, counted(codes, values), [1] * 4)


def people(codes, values=None):
    """Persons as a judge knows them."""
    return singling_out.Persons(
        codes, np.full(len(codes), NO_VALUE) if values is None else values, np.ones(len(codes), int)
    )


def table(rng):
    """Persons and their sensitive values, of three."""
    return strangers(rng), rng.integers(0, 3, N)


# singling out


def singled_out(attack, rng):
    codes, values = table(rng)
    said = attack.guess(raw_of(codes, values), None, rng)
    mine = people(codes, values if attack.column else None)
    return singling_out.satisfied_by(raw_of(codes, values), said, mine) == 1


def singled_out_of_others(attack, rng):
    codes, values = table(rng)
    said, others = attack.guess(raw_of(codes, values), None, rng), table(rng)
    mine = people(others[0], others[1] if attack.column else None)
    return singling_out.satisfied_by(raw_of(codes, values), said, mine) == 1


def singled_out_by_luck(attack, rng):
    """For each description 30 fresh persons, equally likely in each of the 24 cells."""
    codes = persons(rng, 400)
    release = published_at_levels(attributes(), counted(codes, rng.integers(0, 3, 400)), [0, 0])
    hits = []
    for _ in range(8):
        said = attack.guess(release, None, rng)
        for j in range(len(said.rows)):
            one = singling_out.Predicates(said.rows[[j]], said.value[[j]], said.count[[j]])
            fresh = people(persons(rng, 30), rng.integers(0, 3, 30) if attack.column else None)
            hits.append(singling_out.satisfied_by(release, one, fresh)[0] == 1)
    return np.array(hits)


# linkability


def linked(attack, rng):
    codes = strangers(rng)
    return attack.guess(
        raw_of(codes, np.zeros(N, int)), linkability.Files(codes, linkability.halves(4)), rng
    ) == np.arange(N)


def linked_strangers(attack, rng):
    release, others = raw_of(strangers(rng), np.zeros(N, int)), strangers(rng)
    return attack.guess(release, linkability.Files(others, linkability.halves(4)), rng) == np.arange(N)


def linked_by_twos(attack, rng):
    """Two persons of independent columns at a time, one of whom is looked for: the release cannot tell them apart."""
    release = published_at_levels(attributes(), counted(persons(rng, 300), rng.integers(0, 3, 300)), [0, 0])
    files = [linkability.Files(persons(rng, 2), linkability.halves(2)) for _ in range(400)]
    return np.array([attack.guess(release, two, rng)[0] == 0 for two in files])


# inference


def inferred(attack, rng):
    codes, values = table(rng)
    return attack.guess(Seen(raw_of(codes, values)), codes, rng).value == values


def inferred_without_own_row(attack, rng):
    codes, values = table(rng)
    return attack.guess(Seen(raw_of(codes, values), values), codes, rng).value == values


def inferred_of_stars(attack, rng):
    codes, values = table(rng)
    return attack.guess(Seen(stars_of(codes, values)), codes, rng).value == rng.integers(0, 3, N)


# membership


def told_in(attack, rng, *, release=None, drawn=False):
    codes, others = strangers(rng), strangers(rng)
    release = raw_of(codes, np.zeros(N, int)) if release is None else release
    half = N // 2
    asked = np.concatenate((codes[half:], others[half:]))
    truth = rng.random(N) < 0.5 if drawn else np.arange(N) < half
    return attack.guess(release, membership.Acquaintances(codes[:half], others[:half], asked), rng) == truth


def told_in_by_coin(attack, rng):
    return told_in(attack, rng, drawn=True)


def told_in_of_stars(attack, rng):
    return told_in(attack, rng, release=stars_of(strangers(rng), np.zeros(N, int)), drawn=True)


# downcoding


def ranges(n, label="[17, 61]"):
    """One row for each of n classes, all under one label of the six ages."""
    age = [bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), AGES), attributes()[1]]
    towns = [bind(Column("town", Role.QUASI_IDENTIFYING), [f"{i:04}" for i in range(n)])]
    codes = np.stack((np.zeros(n, int), np.arange(n)), axis=1)
    rows = np.ones(n, np.int64)
    return read_published(
        [age[0], *towns], [[label], [f"{i:04}" for i in range(n)]], Classes(codes, rows=rows, alone=rows)
    )


def first_claims(attack, rng, value_of):
    """The first statement about each class, against one row of it."""
    release = ranges(300)
    said = attack.guess(release, None, rng)
    first = np.unique(said.owner, return_index=True)[1]
    return said.node[first] == value_of(len(first))


def claimed(attack, rng):
    """Every range is of persons at both its ends."""
    release = ranges(300)
    said = attack.guess(release, None, rng)
    both = np.array([[age, i] for i in range(300) for age in (0, 5)])
    return downcoding.right(release, said, both)


def claimed_of_any(attack, rng):
    return first_claims(attack, rng, lambda n: rng.integers(0, 6, n))


# minimality


def joined_towns(n=300):
    """Of each class of six the two persons of Blois are ill, the reason for which the towns were joined."""
    age = bind(Column("age", Role.QUASI_IDENTIFYING), [f"{i:03}" for i in range(n)])
    codes = np.array([[i, town] for i in range(n) for town in (0, 0, 1, 1, 1, 1)])
    values = np.tile([1, 1, 0, 2, 3, 4], n)
    joined = counted(codes * [1, 0], values, 5)
    release = read_published([age, attributes()[1]], [[f"{i:03}" for i in range(n)], ["{Blois, Bourges}"]], joined)
    everybody = counted(codes, values, 5)
    return release, minimality.Neighbors(codes, everybody.codes, np.asarray(everybody.persons)), values


def knows_the_method(attack, rng):
    release, register_, values = joined_towns()
    return attack.guess(release, register_, rng) == values


def knows_no_method(attack, rng):
    release, register_, values = joined_towns()
    return inference.Inference("illness", 0.0).guess(Seen(release), register_.targets, rng).value == values


def knows_the_method_in_vain(attack, rng):
    release, register_, _ = joined_towns()
    return attack.guess(release, register_, rng) == rng.integers(0, 5, len(register_.targets))


# record matching


def matched_rows(attack, rng):
    codes, values = table(rng)
    release, own = raw_of(codes, values), people(codes, values if attack.column else None)
    said = attack.guess(release, own, rng)
    theirs = singling_out.released_rows(release, attack.column)
    out = np.zeros(N, bool)
    out[said.person] = (release_codes(release, theirs.rows[said.group]) == codes[said.person]).all(axis=1)
    return out


def release_codes(release, rows):
    """Leaf codes of rows whose labels are values."""
    texts = [np.array([int(text) for text in labels]) for labels in release.labels]
    return np.stack([texts[j][rows[:, j]] for j in range(rows.shape[1])], axis=1)


def matched_by_twos(attack, rng):
    """Two persons and two rows of others: either row may be the first person's."""
    hits = []
    while len(hits) < 150:  # one that is right three times in four is still caught: 0.75 - 4.75 · 0.035 > 1/2
        codes, values = np.unique(persons(rng, 2), axis=0), rng.integers(0, 3, 2)
        mine = people(persons(rng, 2), values if attack.column else None)
        release = published_at_levels(attributes(), counted(codes, values[: len(codes)]), [0, 0])
        said = attack.guess(release, mine, rng)
        if len(codes) == 2:
            hits.append(said.group[said.person == 0][:1].tolist() == [rng.integers(0, 2)])
    return np.array(hits)


# intersection


def chain(n=N):
    """Two releases by neighboring pairs of ages, shifted by one: alone each leaves two values, together one."""
    values = np.arange(n) % 3
    age = bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), [str(i) for i in range(1000, 1000 + n)])
    out = []
    for shift in (0, 1):
        member = (np.arange(n) + shift) // 2
        ends = [np.flatnonzero(member == c)[[0, -1]] + 1000 for c in range(member.max() + 1)]
        labels = [f"[{low}, {high}]" if low < high else str(low) for low, high in ends]
        out.append(read_published([age], [labels], counted(member[:, None], values)))
    return out, np.arange(n)[:, None], values


def intersected(attack, rng, *, alone=False):
    releases, codes, values = chain()
    said = attack.guess(releases, codes, rng)
    left = said.alone[0] if alone else said.together
    return inference.most_probable(left.dense(left.belief), rng=rng) == values


def intersected_alone(attack, rng):
    return intersected(attack, rng, alone=True)


def intersected_stars(attack, rng):
    codes, values = table(rng)
    said = attack.guess([stars_of(codes, values)] * 2, codes, rng)
    return inference.most_probable(said.together.dense(said.together.belief), rng=rng) == rng.integers(0, 3, N)


# deFinetti


def buckets(rng, dependence, n=600):
    """Buckets of three rows of three values each, and the value of each row, which the age tells now and then."""
    values = np.stack([rng.permutation(6)[:3] for _ in range(n)]).ravel()
    age = np.where(rng.random(3 * n) < dependence, values, rng.integers(0, 6, 3 * n))
    attribute = bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), AGES)
    bucket, ones = np.repeat(np.arange(n), 3), np.ones(3 * n, np.int64)
    order = np.argsort(bucket, kind="stable")
    return Pair(
        (attribute,), age[:, None], bucket, ones, value_counts(bucket[order], values[order], ones, illness(6))
    ), values


def learned(attack, rng, *, dependence=0.9):
    pair, values = buckets(rng, dependence)
    return attack.guess(pair, None, rng) == values


def not_learned(attack, rng):
    return learned(definetti.DeFinetti(0), rng)


def learned_of_nothing(attack, rng):
    """One row of each bucket: its value is any of the bucket's three."""
    pair, values = buckets(rng, 0.0)
    said, drawn = attack.guess(pair, None, rng), rng.integers(0, 3, pair.n_buckets)
    first = 3 * np.arange(pair.n_buckets)
    return said[first] == values[first + drawn]


# reports and answers


def averaged(attack, rng, *, times=100, drawn=False):
    values = rng.integers(0, 4, N)
    keep = rng.random((N, times)) < 0.5
    reports = np.where(keep, values[:, None], rng.integers(0, 4, (N, times)))
    counts = (reports[:, :, None] == np.arange(4)).sum(axis=1)
    truth = rng.integers(0, 4, N) if drawn else values
    return attack.guess(of_supports(counts, float(np.log(5))), np.full(4, 0.25), rng) == truth


def averaged_none(attack, rng):
    return averaged(attack, rng, times=0)


def averaged_of_others(attack, rng):
    return averaged(attack, rng, drawn=True)


def answered(attack, rng, *, times=400, drawn=False):
    truth = rng.integers(0, 1000, N)
    answers = truth + rng.laplace(0, 50, (times, N))
    truth = rng.integers(0, 1000, N) if drawn else truth
    return np.abs(np.rint(attack.guess(answers, None, rng)) - truth) <= 12


def answered_once(attack, rng):
    return answered(attack, rng, times=1)


def answered_of_others(attack, rng):
    return answered(attack, rng, drawn=True)


def differed(attack, rng, *, view=None):
    truth = rng.integers(0, 101, N)
    return np.abs(attack.guess(truth if view is None else view(rng), 101, rng) - truth) <= attack.within


def differed_unseen(attack, rng):
    return differed(attack, rng, view=lambda _: np.zeros(N, int))


def differed_of_others(attack, rng):
    return differed(attack, rng, view=lambda rng: rng.integers(-50, 150, N))


def rebuilt(attack, rng, *, others=False):
    bits = rng.random(128) < 0.5
    groups = reconstruction.random_groups(640, 128, rng=rng)
    answers = groups @ bits.astype(float) + rng.normal(0, 0.5, 640)
    said = attack.guess(reconstruction.Counts(groups, answers), None, rng)
    return said == (rng.random(128) < 0.5 if others else bits)


def rebuilt_of_others(attack, rng):
    return rebuilt(attack, rng, others=True)


def named(attack, rng, *, seen=None, drawn=False):
    known = np.unique(rng.integers(0, 12, (60, 4)), axis=0)
    profile = known if seen is None else np.full(known.shape, seen)
    if drawn:
        profile = rng.integers(0, 12, known.shape)
    said = attack.guess(reidentification.profile_evidence(profile, [12] * 4), known, rng)
    targets = rng.integers(0, len(known), len(known)) if drawn else np.arange(len(known))
    return rng.random(len(known)) < said.chance(targets, 1)


def named_without_reports(attack, rng):
    return named(attack, rng, seen=reidentification.UNKNOWN)


def named_by_others(attack, rng):
    return named(attack, rng, drawn=True)


COORDINATES = [Coordinate(Encoding.BITS, 2, Fraction(99, 100), Fraction(1, 100), None)] * 3
SHARES = [np.array([0.5, 0.5])] * 3


def sampled(attack, rng, *, drawn=False):
    reports, truth = sampled_boosting.synthesize(COORDINATES, SHARES, 300, rng=rng)
    said = attack.guess(sampled_attribute.Collected(reports, COORDINATES), SHARES, rng)
    return said == (rng.integers(0, 3, 300) if drawn else truth)


def sampled_blindly(attack, rng):
    return rng.integers(0, 3, 300) == rng.integers(0, 3, 300)


def sampled_of_others(attack, rng):
    return sampled(attack, rng, drawn=True)


def joined(attack, rng, *, others=False):
    codes = strangers(rng)
    order = rng.permutation(N)
    return attack.guess(strangers(rng) if others else codes, codes[order], rng) == np.argsort(order)


def joined_of_others(attack, rng):
    return joined(attack, rng, others=True)


def joined_of_crowds(attack, rng):
    """A table and a register of other persons on columns of few values; anybody of the register may be meant."""
    return attack.guess(persons(rng, N), persons(rng, 20), rng) == rng.integers(0, 20, N)


LUCK = float(singling_out.luck(np.array([1 / 24]), 30)[0])
LUCK_OF_VALUES = float(singling_out.luck(np.array([1 / 72]), 30)[0])

CASES = [
    AttackCase(singling_out.SinglingOut(N), singled_out, singled_out_of_others, singled_out_by_luck, LUCK, 0.99),
    AttackCase(
        singling_out.SinglingOut(N, column="illness"), singled_out, singled_out_of_others, singled_out_by_luck,
        LUCK_OF_VALUES, 0.99,
    ),
    AttackCase(linkability.Linkability(), linked, linked_strangers, linked_by_twos, 0.5, 0.85),
    AttackCase(inference.Inference("illness", 0.05), inferred, inferred_without_own_row, inferred_of_stars, 1 / 3),
    AttackCase(membership.Membership(), told_in, told_in_by_coin, told_in_of_stars, 0.5, 0.99),
    AttackCase(downcoding.Downcoding(10_000), claimed, claimed_of_any, claimed_of_any, 1 / 6),
    AttackCase(
        minimality.Minimality("illness", Fraction(2), together=False), knows_the_method, knows_no_method,
        knows_the_method_in_vain, 0.2, 0.45,
    ),
    AttackCase(assignment.RecordMatching(), matched_rows, matched_by_twos, matched_by_twos, 0.5),
    AttackCase(assignment.RecordMatching("illness"), matched_rows, matched_by_twos, matched_by_twos, 0.5),
    AttackCase(intersection.Intersection("illness"), intersected, intersected_alone, intersected_stars, 1 / 3),
    AttackCase(definetti.DeFinetti(10), learned, not_learned, learned_of_nothing, 1 / 3, 0.7),
    AttackCase(averaging.Averaging(), averaged, averaged_none, averaged_of_others, 0.25, 0.99),
    AttackCase(averaging.RepeatedAnswers(), answered, answered_once, answered_of_others, 25 / 1000, 0.95),
    AttackCase(differencing.Differencing(5), differed, differed_unseen, differed_of_others, 11 / 101),
    AttackCase(reconstruction.Reconstruction("absolute errors"), rebuilt, rebuilt_of_others, rebuilt_of_others, 0.5),
    AttackCase(reconstruction.Reconstruction("squared errors"), rebuilt, rebuilt_of_others, rebuilt_of_others, 0.5),
    AttackCase(reidentification.ProfileMatching(), named, named_without_reports, named_by_others, 1 / 55),
    AttackCase(sampled_attribute.SampledAttribute(), sampled, sampled_blindly, sampled_of_others, 1 / 3, 0.9),
    AttackCase(
        sampled_boosting.SampledAttributeByBoosting(300, sampled_boosting.Booster.HISTOGRAM), sampled, sampled_blindly,
        sampled_of_others, 1 / 3, 0.9,
    ),
    AttackCase(register.RegisterJoin(), joined, joined_of_others, joined_of_crowds, 1 / 20, 0.99),
    *TRACE_CASES,
    *GRAPH_CASES,
]  # fmt: skip
"""At least one for each attack; the suite fails without."""
