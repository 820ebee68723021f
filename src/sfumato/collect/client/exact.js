// Exact chance of any fineness: probabilities are fractions of whole numbers of any size, and none is ever rounded.

import { FreshWords, below } from "./chance.js";

/** A probability in [0, 1] as two whole numbers: a float is the binary fraction that it is, a text is "a" or "a/b". */
export function exactly(value) {
  if (typeof value === "string") return fromText(value);
  if (!(value >= 0 && value <= 1)) throw new RangeError("A probability lies between 0 and 1.");
  if (value === 0) return [0n, 1n];
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const exponent = Number(bits >> 52n);
  const mantissa = (bits & 0xfffffffffffffn) | (exponent ? 1n << 52n : 0n);
  const down = BigInt(1075 - Math.max(exponent, 1));
  return [mantissa, 1n << down];
}

function fromText(text) {
  const parts = /^(\d+)(?:\/(\d+))?$/.exec(text);
  const [top, bottom] = parts ? [BigInt(parts[1]), BigInt(parts[2] ?? 1)] : [1n, 0n];
  if (top > bottom) throw new RangeError("A probability is written as a fraction of whole numbers, between 0 and 1.");
  return [top, bottom];
}

/** What randomizers draw from: whole numbers, coins and weighted places, each with exactly its probability. */
export class Chance {
  #words;

  /** Words of 32 uniform bits; those of the secure source if none are given. */
  constructor(words = new FreshWords()) {
    this.#words = words;
  }

  /** A uniform whole number below a number of at most 2³². */
  below(high) {
    return below(high, this.#words);
  }

  /** A uniform whole number of so many bits, as a BigInt. */
  bits(width) {
    let out = 0n;
    for (let have = 0; have < width; have += 32) out = (out << 32n) | BigInt(this.#words.next());
    return out & ((1n << BigInt(width)) - 1n);
  }

  /** True with probability top/bottom. */
  coin([top, bottom]) {
    return this.#large(bottom) < top;
  }

  /** The place of a uniform whole number among stretches of these lengths. */
  pick(weights) {
    let left = this.#large(weights.reduce((sum, weight) => sum + weight, 0n));
    let place = 0;
    for (; left >= weights[place]; place++) left -= weights[place];
    return place;
  }

  /** A uniform BigInt below another: drawn again while it is too large. */
  #large(high) {
    const width = high === 1n ? 0 : (high - 1n).toString(2).length;
    for (;;) {
      const drawn = this.bits(width);
      if (drawn < high) return drawn;
    }
  }
}

/** A uniform set of `size` of the whole numbers below `high`, ascending. Source: R. Floyd, in J. Bentley, CACM 30(9), 1987. */
export function subset(high, size, chance) {
  const held = new Set();
  for (let last = high - size; last < high; last++) {
    const drawn = chance.below(last + 1);
    held.add(held.has(drawn) ? last : drawn);
  }
  return [...held].sort((a, b) => a - b);
}
