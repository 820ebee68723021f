// Exact coins: whole 32-bit words are compared, so no probability is ever rounded.

import { concat, hmacSha256 } from "./sha256.js";

const RANGE = 2 ** 32;

/** The secure source; Node 18 keeps it out of the global scope. */
export const secure = globalThis.crypto ?? (await import("node:crypto")).webcrypto;
const encoder = new TextEncoder();

/** Bytes of a text in UTF-8 after NFC, so that one string has one encoding. */
export const utf8 = (text) => encoder.encode(text.normalize("NFC"));

/** A whole number below 2³² as four bytes, big end first. */
export const fourBytes = (n) => Uint8Array.of(n >>> 24, n >>> 16, n >>> 8, n);

/** Bytes behind their length. */
export const prefixed = (bytes) => concat(fourBytes(bytes.length), bytes);

/** A probability written "a/b", "a" or as a decimal, as a pair of whole numbers in lowest terms. */
export function fraction(text) {
  const parts = /^(\d+)(?:\/(\d+))?$/.exec(String(text));
  if (!parts) throw new RangeError("A probability is written as a fraction of whole numbers, such as 1/2.");
  const [top, bottom] = [Number(parts[1]), Number(parts[2] ?? 1)];
  if (!(bottom >= 1 && bottom <= 2 ** 30 && top <= bottom)) {
    throw new RangeError("A probability lies between 0 and 1 and has a denominator of at most 2^30.");
  }
  return [top, bottom];
}

/** A generator of the 32-bit words that belong to a secret and a context, for ever the same. */
export function* keyedWords(key, ...context) {
  const suffix = concat(...context.map(prefixed));
  for (let block = 0; ; block++) {
    const digest = hmacSha256(key, concat(fourBytes(block), suffix));
    const view = new DataView(digest.buffer);
    for (let at = 0; at < 32; at += 4) yield view.getUint32(at);
  }
}

/** A generator of fresh words from the browser's or Node's secure source. */
export function* freshWords() {
  const words = new Uint32Array(256);
  for (;;) {
    secure.getRandomValues(words);
    yield* words;
  }
}

/** A uniform whole number below `high`: a word modulo high, unless it is of the last, incomplete round. */
export function below(high, words) {
  const whole = RANGE - (RANGE % high);
  for (;;) {
    const word = words.next().value;
    if (word < whole) return word % high;
  }
}

/** n coins that are true with probability exactly top/bottom. */
export function coins(n, [top, bottom], words) {
  return Array.from({ length: n }, () => below(bottom, words) < top);
}
