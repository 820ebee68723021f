// A RAPPOR client. The parameters are the JSON document that the server signed off, used unchanged.

import { FreshWords, KeyedWords, Message, below, coins, fourBytes, fraction, joined, prefixed, secure, utf8 } from "./chance.js";
import { Hash, concat } from "./sha256.js";
import { base64, batchOf, hex, newId, shortest } from "./wire.js";

const FORMAT = "sfumato.rappor/1";
const WIRE = utf8("RAPPOR");
const BLOOM = utf8("sfumato.rappor/1");
const CLIENT = utf8("sfumato.rappor-client/1");
const KEYS = ["bits", "cohorts", "f", "format", "hashes", "name", "p", "q", "values"];

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
  const digest = new Hash().digest(new TextEncoder().encode(canonical(data)));
  return Object.freeze({ ...data, values: Object.freeze([...data.values]), f, p, q, digest, digestHex: hex(digest) });
}

/** The document as the server writes it: sorted keys, no blanks. */
function canonical(data) {
  return `{${KEYS.map((key) => `${JSON.stringify(key)}:${JSON.stringify(data[key])}`).join(",")}}`;
}

/** The bit of each hash function for a string in a cohort. */
export const bloomBits = (parameters, value, cohort) => new Bloom(parameters, cohort).bits(value);

/** The Bloom filter of one cohort. */
class Bloom {
  #parameters;
  #hash = new Hash();
  #words = new Int32Array(8);
  #message;
  #block;

  constructor(parameters, cohort) {
    if (!(Number.isInteger(cohort) && cohort >= 0 && cohort < parameters.cohorts)) {
      throw new RangeError(`A cohort must lie in 0 … ${parameters.cohorts - 1}.`);
    }
    const head = concat(BLOOM, prefixed(utf8(parameters.name)), fourBytes(cohort));
    this.#parameters = parameters;
    this.#block = head.length;
    this.#message = new Message(concat(head, fourBytes(0)));
  }

  bits(value) {
    const { bits, hashes, values } = this.#parameters;
    if (values.length) return [ownBit(values, value)];
    this.#message = this.#message.about(value);
    const out = [];
    for (let block = 0; out.length < hashes; block++) {
      this.#message.number(this.#block, block);
      this.#hash.words(this.#message.bytes, this.#message.length, this.#words);
      for (let i = 0; i < 8 && out.length < hashes; i++) out.push((this.#words[i] >>> 0) % bits);
    }
    return out;
  }
}

function ownBit(values, value) {
  const own = values.map(nfc).indexOf(nfc(value));
  if (own < 0) throw new RangeError("This value is not declared; declare an `other`.");
  return own;
}

/** One client of one collection. It keeps its secret, 16 to 64 bytes; chance fetched ahead serves one report only. */
export class RapporClient {
  #bloom;
  #flip;
  #flips;
  #ones = new FreshWords();
  #zeros = this.#ones;

  constructor(parameters, secret) {
    if (!(secret instanceof Uint8Array) || secret.length < 16 || secret.length > 64) {
      throw new RangeError("A secret must be 16 to 64 bytes; draw 32 with newSecret() and keep them on the device.");
    }
    const hash = new Hash(secret);
    const { cohorts, digest, f } = parameters;
    this.parameters = parameters;
    this.cohort = below(cohorts, new KeyedWords(hash, joined(CLIENT, utf8("cohort"), digest)));
    const words = (purpose) => new KeyedWords(hash, joined(CLIENT, utf8(purpose), digest, fourBytes(this.cohort)));
    this.#bloom = new Bloom(parameters, this.cohort);
    this.#flip = lowest([f[0], 2 * f[1]]);
    this.#flips = words("permanent");
    if (f[0] === 0) [this.#ones, this.#zeros] = [words("ones"), words("zeros")];
  }

  /** The permanent response to a string. It must not leave the device. */
  permanent(value) {
    const kept = coins(this.parameters.bits, this.#flip, this.#flips.about(value));
    const set = this.#bloom.bits(value);
    for (let i = 0; i < set.length; i++) if (set.indexOf(set[i]) === i) kept[set[i]] = !kept[set[i]];
    return kept;
  }

  /** What is sent: the instantaneous response, as an array of booleans. One-time RAPPOR draws it from the secret. */
  report(value) {
    const { bits, p, q } = this.parameters;
    const kept = this.permanent(value);
    const ones = coins(bits, q, this.#ones.about(value));
    const zeros = coins(bits, p, this.#zeros.about(value));
    for (let i = 0; i < bits; i++) kept[i] = kept[i] ? ones[i] : zeros[i];
    return kept;
  }

  /** A batch for the server. The id makes a retry harmless: send the same batch again, not a new one. */
  batch(values, id = newId()) {
    return batchOf(this.parameters.digestHex, id, this.#wire(values));
  }

  /** Version, name, parameters and number of reports; the cohort of each in as few bits as it needs; its bits. */
  #wire(values) {
    const { cohorts, digest } = this.parameters;
    const width = Math.ceil(Math.log2(cohorts));
    const cohort = Array.from({ length: values.length * width }, (_, i) => ((this.cohort >> (i % width)) & 1) === 1);
    const head = [Uint8Array.of(1, WIRE.length), WIRE, digest.subarray(0, 8), Uint8Array.from(shortest(values.length))];
    return concat(...head, pack(cohort), ...values.map((value) => pack(this.report(value))));
  }
}

/** 32 secret bytes for a new client. */
export const newSecret = () => secure.getRandomValues(new Uint8Array(32));

/** A report as bytes: bit j is bit j mod 8 of byte j div 8. */
export function pack(report) {
  const out = new Uint8Array(Math.ceil(report.length / 8));
  report.forEach((bit, j) => (out[j >> 3] |= bit ? 1 << (j & 7) : 0));
  return out;
}

function lowest([top, bottom]) {
  let [a, b] = [top, bottom];
  while (b) [a, b] = [b, a % b];
  return [top / a, bottom / a];
}

const nfc = (text) => text.normalize("NFC");

export { newId } from "./wire.js";
export { due, enrolled, filled, questionsAt, readSurvey, wireOf } from "./survey.js";
export { Chance } from "./exact.js";
export { answered, collectionWire, readCollection } from "./collection.js";
