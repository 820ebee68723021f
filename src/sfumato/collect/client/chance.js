// Exact coins: whole 32-bit words are compared, so no probability is ever rounded.

import { concat } from "./sha256.js";

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

/** Context parts, each behind its length, so that no two contexts run together. */
export const joined = (...parts) => concat(...parts.map(prefixed));

/** A head that stays, and behind it a text after its length: what is hashed of many texts, in one place. */
export class Message {
  #head;
  #view;

  constructor(head, room = 64) {
    this.#head = head.length;
    this.bytes = new Uint8Array(head.length + 4 + room);
    this.bytes.set(head);
    this.length = head.length;
    this.#view = new DataView(this.bytes.buffer);
  }

  /** The message about a text: this one, or a larger one if the text does not fit. */
  about(text) {
    const normal = text.normalize("NFC");
    const start = this.#head + 4;
    if (start + 3 * normal.length > this.bytes.length) {
      return new Message(this.bytes.subarray(0, this.#head), 3 * normal.length).about(text);
    }
    const { written } = encoder.encodeInto(normal, this.bytes.subarray(start));
    this.#view.setUint32(this.#head, written);
    this.length = start + written;
    return this;
  }

  /** Writes a number over four bytes of the head. */
  number(at, n) {
    this.#view.setUint32(at, n);
  }
}

/** The 32-bit words that belong to a secret (a Hash with its key), a purpose and a text, or none, for ever the same. */
export class KeyedWords {
  #hash;
  #message;
  #words = new Int32Array(8);
  #block = 0;
  #at = 8;

  constructor(hash, purpose) {
    this.#hash = hash;
    this.#message = new Message(concat(fourBytes(0), purpose));
  }

  /** The same words from their beginning, for a text. */
  about(text) {
    this.#message = this.#message.about(text);
    this.#block = 0;
    this.#at = 8;
    return this;
  }

  next() {
    if (this.#at === 8) {
      this.#message.number(0, this.#block++);
      this.#hash.words(this.#message.bytes, this.#message.length, this.#words);
      this.#at = 0;
    }
    return this.#words[this.#at++] >>> 0;
  }
}

/** Fresh words from the browser's or Node's secure source, fetched many at a time; each is wiped as it is given out. */
export class FreshWords {
  #words = new Uint32Array(1024);
  #at = this.#words.length;

  /** Fresh words are about no text. */
  about() {
    return this;
  }

  next() {
    if (this.#at === this.#words.length) {
      secure.getRandomValues(this.#words);
      this.#at = 0;
    }
    const word = this.#words[this.#at];
    this.#words[this.#at++] = 0;
    return word;
  }
}

/** A uniform whole number below `high`: a word modulo high, unless it is of the last, incomplete round. */
export function below(high, words) {
  const whole = RANGE - (RANGE % high);
  return within(high, whole, words);
}

function within(high, whole, words) {
  for (;;) {
    const word = words.next();
    if (word < whole) return word % high;
  }
}

/** n coins that are true with probability exactly top/bottom. */
export function coins(n, [top, bottom], words) {
  const out = [];
  const whole = RANGE - (RANGE % bottom);
  const low = bottom - 1;
  if (whole === RANGE) for (let i = 0; i < n; i++) out.push((words.next() & low) < top);
  else for (let i = 0; i < n; i++) out.push(within(bottom, whole, words) < top);
  return out;
}
