// SHA-256 (FIPS 180-4) and HMAC (RFC 2104) on byte arrays. Synchronous, so that a page can report while it closes.

const K = new Uint32Array(64);
const START = new Uint32Array(8);
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

const rotate = (x, n) => (x >>> n) | (x << (32 - n));

function compress(state, w) {
  for (let t = 16; t < 64; t++) {
    const a = w[t - 15];
    const b = w[t - 2];
    const s0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3);
    const s1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10);
    w[t] = (w[t - 16] + s0 + w[t - 7] + s1) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let t = 0; t < 64; t++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[t] + w[t]) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] = (state[i] + word) | 0));
}

/** SHA-256 of bytes, as 32 bytes. */
export function sha256(bytes) {
  const length = bytes.length;
  const padded = new Uint8Array((((length + 8) >> 6) + 1) << 6);
  padded.set(bytes);
  padded[length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(length / 0x20000000));
  view.setUint32(padded.length - 4, (length << 3) >>> 0);
  const state = new Int32Array(START);
  const w = new Int32Array(64);
  for (let at = 0; at < padded.length; at += 64) {
    for (let t = 0; t < 16; t++) w[t] = view.getInt32(at + 4 * t);
    compress(state, w);
  }
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => out.setInt32(4 * i, word));
  return new Uint8Array(out.buffer);
}

/** HMAC-SHA-256 of bytes under a key of at most 64 bytes. */
export function hmacSha256(key, bytes) {
  const inner = new Uint8Array(64).fill(0x36);
  const outer = new Uint8Array(64).fill(0x5c);
  key.forEach((byte, i) => {
    inner[i] ^= byte;
    outer[i] ^= byte;
  });
  return sha256(concat(outer, sha256(concat(inner, bytes))));
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
