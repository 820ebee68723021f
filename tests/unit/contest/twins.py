"""Slow, obvious twins of what contests measure: line by line, in dictionaries, as their own scripts do it."""

import math
from collections import Counter, defaultdict
from datetime import UTC, datetime

HOURS = [
    1,
    0.9,
    0.8,
    0.6,
    0.4,
    0.2,
    0,
    0.1,
    0.2,
    0.3,
    0.4,
    0.5,
    0.6,
    0.5,
    0.4,
    0.3,
    0.2,
    0.1,
    0,
    0.2,
    0.4,
    0.6,
    0.8,
    0.9,
]


def fixes(lines):
    """(id, moment, latitude, longitude) of each line."""
    names = lines.labels("id")
    columns = (names.codes, lines.whole("date"), lines.numbers("latitude"), lines.numbers("longitude"))
    for code, seconds, latitude, longitude in zip(*(one.tolist() for one in columns), strict=True):
        yield names.names[code], datetime.fromtimestamp(max(seconds, 0), UTC), latitude, longitude


def by_line(case):
    """Date, hour and distance."""
    fixed, found, n = case.rules.version == "fixed", Counter(), 0
    for (_, when, y, x), (name, then, b, a) in zip(fixes(case.original), fixes(case.submission), strict=True):
        n += 1
        if name == "DEL":
            continue
        days = abs(when.isoweekday() - then.isoweekday())
        found["date"] += max(0, 1 - (min(days, 7 - days) if fixed else days) / 3)
        hours = abs(when.hour - then.hour)
        found["hour"] += HOURS[hours] if fixed or not hours else 1 - HOURS[hours]
        found["distance"] += max(0, 1 - (abs(y - b) + abs(x - a)) / 0.1)
    return {name: value / n for name, value in found.items()}


def kind_of(when):
    """Night, work, weekend or None."""
    clock = when.hour * 3600 + when.minute * 60 + when.second
    if when.weekday() < 5:
        if clock > 22 * 3600 or clock < 6 * 3600:
            return "night"
        return "work" if 9 * 3600 < clock < 16 * 3600 else None
    return "weekend" if 10 * 3600 < clock < 18 * 3600 else None


def stays(pairs, weekly):
    """Seconds by (person, kind) and cell."""
    last, found = {}, defaultdict(lambda: defaultdict(float))
    for person, (_, when, latitude, longitude), week in pairs:
        kind, key = kind_of(when), (person, week if weekly else 0)
        if kind is not None:
            since = (when - last[key]).total_seconds() if key in last else 0
            last[key] = when
            found[key, kind][round(latitude, 2), round(longitude, 2)] += since
    return found


def poi(case, *, weekly):
    """The longest places of each person and kind."""
    fixed, most, given, made = case.rules.version == "fixed", 1 if weekly else 3, [], []
    for one, other in zip(fixes(case.original), fixes(case.submission), strict=True):
        week = one[1].isocalendar()[:2]
        given.append((one[0], one, week))
        if other[0] != "DEL":
            made.append((one[0], other, week))
    given, made = stays(given, weekly), stays(made, weekly)
    total, n = 0.0, 0
    for key, cells in given.items():
        top = dict(sorted(cells.items(), key=lambda item: -item[1])[:most])
        others = dict(sorted(made[key].items(), key=lambda item: -item[1])[:most]) if key in made else {}
        for cell, seconds in top.items():
            if seconds <= 0:
                n += not fixed
                continue
            there = max(others.get(cell, 0), 0)
            total, n = total + min(seconds, there) / max(seconds, there), n + 1
    return total / n if n else 1.0


def cells(case):
    """Meet and tuile."""
    given, made, visits, visited = Counter(), Counter(), defaultdict(set), defaultdict(set)
    for one, other in zip(fixes(case.original), fixes(case.submission), strict=True):
        cell = (round(one[2], 2), round(one[3], 2))
        given[cell] += 1
        visits[one[0]].add(cell)
        if other[0] != "DEL":
            cell = (round(other[2], 2), round(other[3], 2))
            made[cell] += 1
            visited[one[0]].add(cell)
    most = max(1, int(len(given) * 0.1))
    tops = [
        {cell for cell, _ in sorted(one.items(), key=lambda item: (-item[1], item[0]))[:most]} for one in (given, made)
    ]
    alike = [min(len(mine), len(visited[who])) / max(len(mine), len(visited[who])) for who, mine in visits.items()]
    return {"meet": len(tops[0] & tops[1]) / most, "tuile": sum(alike) / len(alike)}


def purchases(lines):
    """Rows as dictionaries."""
    who, item = lines.labels("id_user"), lines.labels("id_item")
    for i in range(lines.rows):
        if who.names[who.codes[i]] == "DEL":
            yield None
        else:
            yield (
                who.names[who.codes[i]], int(lines.whole("date")[i]), item.names[item.codes[i]],
                float(lines.numbers("price")[i]), int(lines.whole("qty")[i]),
            )  # fmt: skip


def cosine_table(rows, items, only=None):
    """Cosines of all pairs of items that are not 0, from vectors by customer."""
    vectors = defaultdict(lambda: defaultdict(int))
    for who, _, item, _, quantity in rows:
        if item in items:
            vectors[item][who] += quantity
    if only is not None:
        vectors = {item: {w: q for w, q in one.items() if q < only} for item, one in vectors.items()}
    length = {item: math.sqrt(sum(q * q for q in one.values())) for item, one in vectors.items()}
    return {
        (a, b): sum(q * vectors[b][w] for w, q in vectors[a].items() if w in vectors[b]) / length[a] / length[b]
        for a in vectors for b in vectors if length[a] and length[b]
    }  # fmt: skip


def cosine_error(given, made):
    """Sum of differences over the first sum."""
    return min(1, sum(abs(given.get(k, 0) - made.get(k, 0)) for k in {*given, *made}) / sum(given.values()))


def darc(case):
    """The six errors."""
    fixed = case.rules.version == "fixed"
    given = list(purchases(case.original))
    pairs = [(one, other) for one, other in zip(given, purchases(case.submission), strict=True) if other is not None]
    made, items = [other for _, other in pairs], {row[2] for row in given}
    n = len(pairs) if fixed else len(given)
    sums = Counter()
    for who, _, item, _, quantity in given:
        sums[who, item] += quantity
    ordered = sorted(sums.values())
    middle = (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2
    tops = [
        [item for item, _ in sorted(Counter(row[2] for row in rows).items(), key=lambda one: (-one[1], one[0]))]
        for rows in (given, made)
    ]
    tops = [set(one[: max(1, int(len(one) * 0.05))]) for one in tops]
    tables = [cosine_table(rows, top) for rows, top in zip((given, made), tops, strict=True)]
    return {
        "e1": cosine_error(cosine_table(given, items), cosine_table(made, items)),
        "e2": cosine_error(cosine_table(given, items, middle), cosine_table(made, items, middle)) if fixed else 0,
        "e3": max(cosine_error(*tables), 1 - len(tops[0] & tops[1]) / len(tops[0] | tops[1])),
        "e4": sum(abs(one[1] - other[1]) / 31 for one, other in pairs) / n,
        "e5": sum(
            0 if one[3] == other[3] else 1 - min(one[3], other[3]) / max(one[3], other[3]) for one, other in pairs
        )
        / n,
        "e6": 1 - len(pairs) / len(given),
    }
