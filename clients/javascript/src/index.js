// A RAPPOR client. The parameters are the JSON document that the server signed off, used unchanged.

import { below, coins, fourBytes, fraction, freshWords, keyedWords, prefixed, secure, utf8 } from "./chance.js";
import { concat, sha256 } from "./sha256.js";

const FORMAT = "sfumato.rappor/1";
const BATCH = "sfumato.batch/1";
const WIRE = utf8("RAPPOR");
const BLOOM = utf8("sfumato.rappor/1");
const CLIENT = utf8("sfumato.rappor-client/1");
const KEYS = ["bits", "cohorts", "f", "format", "hashes", "name", "p", "q", "values"];
const WORDS = 8;

/** Parameters of a collection, checked and frozen. */
export function readParameters(text) {
  const data = JSON.parse(text);
  if (data === null || data.format !== FORMAT || Object.keys(data).sort().join() !== KEYS.join()) {
    throw new TypeError(`The parameters must be a document of the format ${FORMAT} with exactly its keys.`);
  }
  const [f, p, q] = [fraction(data.f), fraction(data.p), fraction(data.q)];
  const basic = data.values.length > 0;
  if (basic && !(data.bits === data.values.length && data.hashes === 1 && data.cohorts === 1)) {
    throw new RangeError("Basic RAPPOR has one bit for each declared value, one hash and one cohort.");
  }
  if (new Set(data.values.map(nfc)).size < data.values.length) {
    throw new RangeError("Declared values must differ, also after Unicode normalization (NFC).");
  }
  if (!(p[0] * q[1] < q[0] * p[1]) || f[0] === f[1]) throw new RangeError("Parameters need p < q and f < 1.");
  const digest = sha256(new TextEncoder().encode(canonical(data)));
  return Object.freeze({ ...data, values: Object.freeze([...data.values]), f, p, q, digest, digestHex: hex(digest) });
}

/** The document as the server writes it: sorted keys, no blanks. */
function canonical(data) {
  return `{${KEYS.map((key) => `${JSON.stringify(key)}:${JSON.stringify(data[key])}`).join(",")}}`;
}

/** The bit of each hash function for a string in a cohort. */
export function bloomBits(parameters, value, cohort) {
  if (!(Number.isInteger(cohort) && cohort >= 0 && cohort < parameters.cohorts)) {
    throw new RangeError(`A cohort must lie in 0 … ${parameters.cohorts - 1}.`);
  }
  if (parameters.values.length) {
    const own = parameters.values.map(nfc).indexOf(nfc(value));
    if (own < 0) throw new RangeError("This value is not declared; declare an `other`.");
    return [own];
  }
  const head = concat(BLOOM, prefixed(utf8(parameters.name)), fourBytes(cohort));
  const text = prefixed(utf8(value));
  return Array.from({ length: parameters.hashes }, (_, i) => {
    const digest = sha256(concat(head, fourBytes(Math.floor(i / WORDS)), text));
    return new DataView(digest.buffer).getUint32(4 * (i % WORDS)) % parameters.bits;
  });
}

/** One client of one collection. It keeps nothing but its secret, 16 to 64 bytes. */
export class RapporClient {
  #secret;

  constructor(parameters, secret) {
    if (!(secret instanceof Uint8Array) || secret.length < 16 || secret.length > 64) {
      throw new RangeError("A secret must be 16 to 64 bytes; draw 32 with newSecret() and keep them on the device.");
    }
    this.parameters = parameters;
    this.#secret = secret.slice();
    this.cohort = below(parameters.cohorts, keyedWords(secret, CLIENT, utf8("cohort"), parameters.digest));
  }

  /** The permanent response to a string. It must not leave the device. */
  permanent(value) {
    const { bits, f } = this.parameters;
    const flips = coins(bits, lowest([f[0], 2 * f[1]]), this.#stream(value, "permanent"));
    bloomSet(this.parameters, value, this.cohort).forEach((bit) => (flips[bit] = !flips[bit]));
    return flips;
  }

  /** What is sent: the instantaneous response, as an array of booleans. */
  report(value) {
    const { bits, f, p, q } = this.parameters;
    const kept = this.permanent(value);
    const oneTime = f[0] === 0;
    const ones = coins(bits, q, oneTime ? this.#stream(value, "ones") : freshWords());
    const zeros = coins(bits, p, oneTime ? this.#stream(value, "zeros") : freshWords());
    return kept.map((bit, i) => (bit ? ones[i] : zeros[i]));
  }

  /** A batch for the server. The id makes a retry harmless: send the same batch again, not a new one. */
  batch(values, id = newId()) {
    return JSON.stringify({
      format: BATCH,
      collection: this.parameters.digestHex,
      batch: id,
      reports: base64(this.#wire(values)),
    });
  }

  /** Version, name, parameters and number of reports; the cohort of each in as few bits as it needs; its bits. */
  #wire(values) {
    const { cohorts, digest } = this.parameters;
    const width = Math.ceil(Math.log2(cohorts));
    const cohort = Array.from({ length: values.length * width }, (_, i) => ((this.cohort >> (i % width)) & 1) === 1);
    const head = [Uint8Array.of(1, WIRE.length), WIRE, digest.subarray(0, 8), Uint8Array.from(shortest(values.length))];
    return concat(...head, pack(cohort), ...values.map((value) => pack(this.report(value))));
  }

  #stream(value, purpose) {
    return keyedWords(this.#secret, CLIENT, utf8(purpose), this.parameters.digest, fourBytes(this.cohort), utf8(value));
  }
}

/** 32 secret bytes for a new client. */
export const newSecret = () => secure.getRandomValues(new Uint8Array(32));

/** A fresh batch id. */
export const newId = () => hex(secure.getRandomValues(new Uint8Array(16)));

/** A report as bytes: bit j is bit j mod 8 of byte j div 8. */
export function pack(report) {
  const out = new Uint8Array(Math.ceil(report.length / 8));
  report.forEach((bit, j) => (out[j >> 3] |= bit ? 1 << (j & 7) : 0));
  return out;
}

/** A whole number in as few bytes of seven bits as it needs, lowest first; the top bit says that more follow. */
const shortest = (n) => (n < 128 ? [n] : [(n % 128) + 128, ...shortest(Math.floor(n / 128))]);

/** The distinct Bloom bits of a string. */
const bloomSet = (parameters, value, cohort) => new Set(bloomBits(parameters, value, cohort));

function lowest([top, bottom]) {
  let [a, b] = [top, bottom];
  while (b) [a, b] = [b, a % b];
  return [top / a, bottom / a];
}

const nfc = (text) => text.normalize("NFC");

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

const base64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
