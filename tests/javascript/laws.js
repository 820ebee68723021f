// The exact law of a randomizer: every way in which its chance can fall is walked, with its probability.

const LARGE = 2 ** 16;

/** Chance that follows a path of choices and notes, at each, how likely every choice was. */
class Walk {
  constructor(path) {
    [this.path, this.taken, this.weights] = [path, [], []];
    this.picked = null;
  }

  #choose(weights) {
    const choice = this.path[this.taken.length] ?? 0;
    this.taken.push(choice);
    this.weights.push(weights);
    return choice;
  }

  below(high) {
    if (high > LARGE) return Math.floor(high / 3); // a hash function: one of them is looked at
    return this.#choose(Array(high).fill([1n, BigInt(high)]));
  }

  bits(width) {
    return (1n << BigInt(width)) / 3n;
  }

  coin([top, bottom]) {
    return this.#choose([[bottom - top, bottom], [top, bottom]]) === 1;
  }

  pick(weights) {
    if (this.picked !== null) throw new Again();
    this.picked = this.taken.length;
    const total = weights.reduce((sum, one) => sum + one, 0n);
    return this.#choose(weights.map((one) => [one, total]));
  }
}

class Again extends Error {}

/**
 * The law of what `draw(chance)` returns: a map from its JSON to [numerator, denominator]. What is picked again is shared
 * out among what was picked at once, for each way in which chance fell before.
 */
export function lawOf(draw) {
  const [found, open] = [new Map(), [[]]];
  const picks = new Map();
  while (open.length) {
    const walk = new Walk(open.pop());
    const report = drawn(draw, walk);
    for (let at = walk.path.length; at < walk.taken.length; at++) {
      for (let other = 1; other < walk.weights[at].length; other++) open.push([...walk.taken.slice(0, at), other]);
    }
    const mass = walk.weights.map((options, i) => options[walk.taken[i]]).reduce(times, ONE);
    if (!mass[0]) continue;
    const before = walk.picked === null ? null : JSON.stringify(walk.taken.slice(0, walk.picked));
    if (before !== null) picks.set(before, (picks.get(before) ?? []).concat([[report, mass]]));
    else add(found, report, mass);
  }
  for (const ends of picks.values()) {
    const [all, kept] = [ends, ends.filter(([report]) => report !== null)].map((some) => some.map(([, mass]) => mass).reduce(sum, NONE));
    for (const [report, mass] of ends) if (report !== null) add(found, report, times(mass, times(all, [kept[1], kept[0]])));
  }
  return found;
}

function add(found, report, mass) {
  found.set(report, sum(found.get(report) ?? NONE, mass));
}

function drawn(draw, walk) {
  try {
    return JSON.stringify(draw(walk), (_, one) => (typeof one === "bigint" ? String(one) : one));
  } catch (error) {
    if (error instanceof Again) return null;
    throw error;
  }
}

const [NONE, ONE] = [[0n, 1n], [1n, 1n]];
const sum = ([a, b], [c, d]) => lowest([a * d + c * b, b * d]);
const times = ([a, b], [c, d]) => lowest([a * c, b * d]);

function lowest([top, bottom]) {
  let [a, b] = [top, bottom];
  while (b) [a, b] = [b, a % b];
  return [top / a, bottom / a];
}
