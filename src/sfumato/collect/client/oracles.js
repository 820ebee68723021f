// One of several values, or several of many, reported once: the randomizers of the Python package, draw by draw.
// A report is a list of whole numbers; `widths` says how many bits each of them takes on the wire, and `holds` whether it speaks
// for a value.

import { exactly, subset } from "./exact.js";

const bitsFor = (size) => (size < 2 ? 0 : Math.floor(Math.log2(size - 1)) + 1);
const times = (n, width) => Array(n).fill(width);

/** A coin of a mechanism: whether noise falls. It is sampled by its rarer side. */
const noise = ({ rare, rare_is_noise: rareIsNoise }, chance) => chance.coin(exactly(rare)) === rareIsNoise;

/** How often it falls. */
const noiseOf = ({ rare, rare_is_noise: rareIsNoise }) => (rareIsNoise ? rare : 1 - rare);

/** The value itself, or with noise any value. */
const direct = ({ domain_size: k, coin }) => ({
  widths: [bitsFor(k)],
  draw: (code, chance) => [noise(coin, chance) ? chance.below(k) : code],
  holds: ([value], code) => value === code,
});

/** A bit for each value, in whole bytes: the bits of other values are 1 by noise, the own one as `own` says. */
const unary = (own) => ({ domain_size: k, coin }) => ({
  widths: times(Math.ceil(k / 8), 8),
  draw: (code, chance) => {
    const out = times(Math.ceil(k / 8), 0);
    for (let value = 0; value < k; value++) {
      const bit = value === code ? own(coin, chance) : noise(coin, chance);
      if (bit) out[value >> 3] |= 1 << (value & 7);
    }
    return out;
  },
  holds: (bytes, code) => ((bytes[code >> 3] >> (code & 7)) & 1) === 1,
});

/** A random hash function, two words, and the bucket of the value under it, or with noise any bucket. */
function hashing({ encoding: { domain_size: k, n_buckets: g }, coin }) {
  const short = k <= 2 ** 17 && g <= 2 ** 8;
  const [width, half] = short ? [32, 16n] : [64, 32n];
  const bucket = (a, b, code) => Number(((BigInt.asUintN(width, a * BigInt(code) + b) >> half) * BigInt(g)) >> half);
  return {
    widths: [width, width, short ? 8 : 16],
    draw: (code, chance) => {
      const [a, b] = [chance.bits(width), chance.bits(width)];
      const own = bucket(a, b, code);
      return [a, b, noise(coin, chance) ? chance.below(g) : own];
    },
    holds: ([a, b, sent], code) => bucket(BigInt(a), BigInt(b), code) === sent,
  };
}

/** A sorted set of w values that holds the own one, or with noise does not. */
function subsetSelection({ encoding: { domain_size: k, size }, coin }) {
  const width = bitsFor(k);
  const asBits = k < size * width;
  const others = (code, n, chance) => subset(k - 1, n, chance).map((other) => other + (other >= code));
  return {
    widths: asBits ? times(k, 1) : times(size, width),
    draw: (code, chance) => {
      const held = noise(coin, chance) ? others(code, size, chance) : [code, ...others(code, size - 1, chance)];
      held.sort((a, b) => a - b);
      return asBits ? Array.from({ length: k }, (_, value) => +held.includes(value)) : held;
    },
    holds: (report, code) => (asBits ? report[code] === 1 : report.includes(code)),
  };
}

/** An index whose entry in the value's column of Sylvester's matrix is 1, or with noise -1. */
function hadamard({ domain_size: k, coin }) {
  const size = 2 ** bitsFor(k + 1);
  return {
    widths: [bitsFor(size)],
    draw: (code, chance) => {
      const column = code + 1;
      const index = chance.below(size);
      const wrong = isOdd(index & column) !== noise(coin, chance);
      return [wrong ? index ^ (column & -column) : index];
    },
    holds: ([index], code) => !isOdd(index & (code + 1)),
  };
}

function isOdd(number) {
  let odd = false;
  for (let left = number; left; left &= left - 1) odd = !odd;
  return odd;
}

/** A point of a projective space over F_q on the value's hyperplane, or with noise off it. */
function projective({ encoding: { space }, coin }) {
  const field = new Space(space.q, space.t);
  const free = space.q ** (space.t - 1);
  return {
    widths: [bitsFor(field.points)],
    draw: (code, chance) => {
      const off = noise(coin, chance);
      const number = off ? chance.below(free) : 1 + chance.below(free - 1);
      return [field.point(field.completed(field.vector(code), number, off ? 1 : 0))];
    },
    holds: ([point], code) => field.product(field.vector(point), field.vector(code)) === 0,
  };
}

/** Points of t coordinates over F_q up to scaling, counted by free coordinates, then as numbers. */
class Space {
  constructor(q, t) {
    [this.q, this.t] = [q, t];
    this.points = this.first(t);
  }

  /** The first point with so many free coordinates; with t, how many points there are. */
  first(free) {
    return (this.q ** free - 1) / (this.q - 1);
  }

  vector(point) {
    let free = this.t - 1;
    while (this.first(free) > point) free--;
    const out = this.digits(point - this.first(free), this.t);
    out[this.t - 1 - free] = 1;
    return out;
  }

  point(vector) {
    const pivot = vector.findIndex((one) => one !== 0);
    const free = this.t - 1 - pivot;
    const scale = this.inverse(vector[pivot]);
    const number = vector.reduce((sum, one) => sum * this.q + ((one * scale) % this.q), 0);
    return this.first(free) + number - this.q ** free;
  }

  product(one, other) {
    return one.reduce((sum, coordinate, i) => (sum + coordinate * other[i]) % this.q, 0);
  }

  /** The vector with these free coordinates whose product with the plane is 0 or 1. */
  completed(plane, number, product) {
    const pivot = plane.findIndex((one) => one !== 0);
    const out = this.digits(number, this.t - 1);
    out.splice(pivot, 0, 0);
    out[pivot] = (((product - this.product(out, plane)) % this.q) + this.q) % this.q;
    return out;
  }

  digits(number, length) {
    const out = times(length, 0);
    for (let i = length - 1, left = number; i >= 0; i--, left = Math.floor(left / this.q)) out[i] = left % this.q;
    return out;
  }

  /** The inverse in F_q, as the power q-2 (Fermat). */
  inverse(number) {
    let [out, base] = [1, number % this.q];
    for (let left = this.q - 2; left; left = Math.floor(left / 2), base = (base * base) % this.q) {
      if (left % 2) out = (out * base) % this.q;
    }
    return out;
  }
}

/** A classical design of a yes-no question: two probabilities of a reported yes. */
const coins = ({ yes_if_yes: ifYes, yes_if_no: ifNo }) => ({
  widths: [1],
  draw: (code, chance) => [+chance.coin(exactly(code ? ifYes : ifNo))],
  holds: ([said], code) => said === code,
});

/** A bit for each value that is chosen or not, each flipped by a coin of its own. */
const everyBit = ({ domain_size: k, coin }) => ({
  widths: times(k, 1),
  draw: (codes, chance) => Array.from({ length: k }, (_, value) => +(codes.includes(value) !== noise(coin, chance))),
  holds: (bits, code) => bits[code] === 1,
});

/** One value drawn whatever the answer is, and its noisy bit. */
const oneBit = ({ domain_size: k, coin }) => ({
  widths: [bitsFor(2 * k)],
  draw: (codes, chance) => {
    const drawn = chance.below(k);
    return [2 * drawn + +(codes.includes(drawn) !== noise(coin, chance))];
  },
  asked: ([report]) => [report >> 1],
  holds: ([report], code) => report === 2 * code + 1,
});

/** Randomizers of codes by the name of their mechanism; each is made of what the server tells of it. */
export const ORACLES = {
  GRR: direct,
  SUE: unary((coin, chance) => !noise(coin, chance)),
  OUE: unary((_coin, chance) => chance.coin([1n, 2n])),
  BLH: hashing,
  OLH: hashing,
  SubsetSelection: subsetSelection,
  HadamardResponse: hadamard,
  ProjectiveGeometryResponse: projective,
  "every bit": everyBit,
  "one bit": oneBit,
  Warner: coins,
  "forced response": coins,
  "mirrored question": coins,
  "disguised response": coins,
  "unrelated question": coins,
};
export { bitsFor, noise, noiseOf, times };
