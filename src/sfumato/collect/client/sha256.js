// SHA-256 (FIPS 180-4) and HMAC (RFC 2104) on byte arrays. Synchronous, so that a page can report while it closes.

const BLOCK = 64;
const K = new Int32Array(64);
const START = new Int32Array(8);
fillConstants();

/** The fractional parts of the square and cube roots of the first primes, as the standard defines them. */
function fillConstants() {
  let count = 0;
  for (let n = 2; count < 64; n++) {
    let prime = true;
    for (let d = 2; d * d <= n; d++) if (n % d === 0) prime = false;
    if (!prime) continue;
    if (count < 8) START[count] = rootBits(BigInt(n), 2n);
    K[count++] = rootBits(BigInt(n), 3n);
  }
}

/** The first 32 bits after the point of the root of n, by integer bisection. */
function rootBits(n, degree) {
  const wanted = n << (32n * degree);
  let low = 0n;
  let high = 1n << 40n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** degree <= wanted) low = middle;
    else high = middle;
  }
  return Number(low & 0xffffffffn);
}

/** One block, the first 16 of the 64 words of w, goes into the state. */
function compress(state, w) {
  for (let t = 16; t < 64; t++) {
    const a = w[t - 15];
    const b = w[t - 2];
    const s0 = ((a >>> 7) | (a << 25)) ^ ((a >>> 18) | (a << 14)) ^ (a >>> 3);
    const s1 = ((b >>> 17) | (b << 15)) ^ ((b >>> 19) | (b << 13)) ^ (b >>> 10);
    w[t] = (w[t - 16] + s0 + w[t - 7] + s1) | 0;
  }
  let a = state[0];
  let b = state[1];
  let c = state[2];
  let d = state[3];
  let e = state[4];
  let f = state[5];
  let g = state[6];
  let h = state[7];
  for (let t = 0; t < 64; t++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + (g ^ (e & (f ^ g))) + K[t] + w[t]) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) | (c & (a | b)))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}

/** The first `length` bytes and their padding go into the state, which has taken `before` bytes, whole blocks, already. */
function absorb(state, bytes, length, before, w) {
  const end = (((length + 8) >> 6) + 1) << 6;
  for (let at = 0; at < end; at += BLOCK) {
    for (let t = 0, i = at; t < 16; t++, i += 4) {
      if (i + 4 <= length) w[t] = (bytes[i] << 24) | (bytes[i + 1] << 16) | (bytes[i + 2] << 8) | bytes[i + 3];
      else w[t] = i <= length ? lastWord(bytes, i, length) : 0;
    }
    if (at + BLOCK === end) {
      w[14] = Math.floor((before + length) / 0x20000000);
      w[15] = (before + length) << 3;
    }
    compress(state, w);
  }
}

/** What is left of the bytes from i on, fewer than four, and the bit that ends them. */
function lastWord(bytes, i, length) {
  let word = 0x80 << (24 - 8 * (length - i));
  for (let j = i; j < length; j++) word |= bytes[j] << (24 - 8 * (j - i));
  return word;
}

/** SHA-256 and, with a key of at most 64 bytes, HMAC-SHA-256. The states that the padded key leaves are made once. */
export class Hash {
  #w = new Int32Array(64);
  #inner = new Int32Array(START);
  #outer;

  constructor(key) {
    if (!key) return;
    this.#outer = new Int32Array(START);
    this.#pad(this.#inner, key, 0x36);
    this.#pad(this.#outer, key, 0x5c);
  }

  #pad(state, key, byte) {
    const padded = new Uint8Array(BLOCK).fill(byte);
    key.forEach((one, i) => (padded[i] ^= one));
    const view = new DataView(padded.buffer);
    for (let t = 0; t < 16; t++) this.#w[t] = view.getInt32(4 * t);
    compress(state, this.#w);
  }

  /** The hash of the first `length` bytes, as eight signed words, into `out`. */
  words(bytes, length, out) {
    const w = this.#w;
    out.set(this.#inner);
    absorb(out, bytes, length, this.#outer ? BLOCK : 0, w);
    if (!this.#outer) return;
    w.fill(0, 8, 16);
    w.set(out);
    w[8] = 0x80000000;
    w[15] = 8 * (BLOCK + 32);
    out.set(this.#outer);
    compress(out, w);
  }

  /** The hash of bytes, as 32 bytes. */
  digest(bytes) {
    const words = new Int32Array(8);
    this.words(bytes, bytes.length, words);
    const out = new DataView(new ArrayBuffer(32));
    words.forEach((word, i) => out.setInt32(4 * i, word));
    return new Uint8Array(out.buffer);
  }
}

/** Byte arrays, one after another. */
export function concat(...parts) {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
