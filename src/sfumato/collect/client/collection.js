// One report on declared questions: by an oracle on one of them, by a scheme for several attributes on all together.
// What the server tells of a collection (`GET /collections/NAME`) is all that is needed.

import { Chance } from "./exact.js";
import { ORACLES, bitsFor } from "./oracles.js";
import { concat } from "./sha256.js";
import { batchOf, fromHex, newId, packed, shortest } from "./wire.js";

const ONE = Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0);

/** A collection as its server tells it, checked: its questions, and how a tuple of answers becomes one report. */
export function readCollection(told) {
  if (told?.kind !== "oracle" || !told.device) throw new TypeError("A collection must be told with its `device`.");
  const { name, digest, attributes } = told.device;
  if (attributes.length !== told.questions.length) throw new RangeError("Each question must have its attribute.");
  const read = attributes.map((one, i) => attributeOf(one, told.questions[i].values.length));
  const device = Object.freeze({ name, digest, attributes: read, draw: drawerOf(name, attributes) });
  return Object.freeze({ ...told, device });
}

function attributeOf({ mechanism, bits, parameters, fakes }, size) {
  const made = ORACLES[mechanism]?.(parameters);
  if (!made) throw new RangeError(`This client does not know the mechanism ${mechanism}.`);
  if (made.widths.reduce((sum, width) => sum + width, 0) !== bits) {
    throw new RangeError(`A report by ${mechanism} must take ${bits} bits.`);
  }
  return Object.freeze({ size, made, fake: fakes === undefined ? undefined : fakeOf(mechanism, made, fakes) });
}

/** Every attribute by itself: an oracle's, SPL's, or at the whole budget. */
const each = (attributes, codes, chance) => attributes.map(({ made }, i) => made.draw(codes[i], chance));

/** One attribute, drawn uniformly; of the others nothing. */
function sampled(attributes, codes, chance) {
  const asked = chance.below(attributes.length);
  return attributes.map(({ made }, i) => (i === asked ? made.draw(codes[i], chance) : null));
}

/** One attribute, drawn uniformly and forgotten, among fakes of all others. */
function among(attributes, codes, chance) {
  const asked = chance.below(attributes.length);
  return attributes.map(({ made, fake }, i) => (i === asked ? made.draw(codes[i], chance) : fake(chance)));
}

const SCHEMES = { SPL: each, "every attribute": each, SMP: sampled, "RS+FD": among, "RS+RFD": among };

function drawerOf(name, attributes) {
  const scheme = Object.hasOwn(SCHEMES, name) ? SCHEMES[name] : name === attributes[0].mechanism ? each : undefined;
  if (!scheme || (scheme === among) !== attributes.every(({ fakes }) => fakes !== undefined)) {
    throw new RangeError(`This client does not know the protocol ${name} as it is told.`);
  }
  return scheme;
}

/** A fake report: of zeros, or of a value drawn by weights, which GRR sends as it is. */
function fakeOf(mechanism, made, fakes) {
  if (fakes === null) return (chance) => made.draw(-1, chance); // no bit is the own one
  const value = weighted(fakes.map(BigInt));
  return mechanism === "GRR" ? (chance) => [value(chance)] : (chance) => made.draw(value(chance), chance);
}

/** A place drawn by whole weights: one uniform number where they are alike, else a coin for each place that is left. */
function weighted(weights) {
  if (weights.every((one) => one === weights[0])) return (chance) => chance.below(weights.length);
  return (chance) => {
    let left = weights.reduce((sum, one) => sum + one, 0n);
    let place = 0;
    for (; left > weights[place] && !chance.coin([weights[place], left]); place++) left -= weights[place];
    return place;
  };
}

/**
 * Randomizes a person's answers: a code for each question, in their order. Returns the `reports`, null where nothing is
 * said of a question, and the `body` of the request. A person is randomized once: keep the body and send it again if sending
 * fails, since a second report costs epsilon a second time.
 */
export function answered(collection, codes, { chance = new Chance(), id = newId() } = {}) {
  const { attributes, draw } = collection.device;
  if (codes.length !== attributes.length) throw new RangeError("There must be one answer to each question.");
  attributes.forEach(({ size }, i) => {
    if (!Number.isInteger(codes[i]) || codes[i] < 0 || codes[i] >= size) {
      throw new RangeError("An answer must be one of those that are declared.");
    }
  });
  const reports = draw(attributes, codes, chance);
  return { reports, body: batchOf(collection.digest, id, collectionWire(collection, reports)) };
}

/** One person's report as bytes. */
export function collectionWire({ device: { name, digest, attributes } }, reports) {
  const isScheme = Object.hasOwn(SCHEMES, name);
  const count = isScheme ? [...shortest(attributes.length), ...ONE] : shortest(1);
  const head = [Uint8Array.of(1, name.length), new TextEncoder().encode(name), fromHex(digest), Uint8Array.from(count)];
  const parts = attributes.map(({ made }, i) => (reports[i] === null ? new Uint8Array() : packed(reports[i], made.widths)));
  if (name !== "SMP") return concat(...head, ...parts);
  const asked = reports.findIndex((report) => report !== null);
  return concat(...head, packed([asked], [Math.max(1, bitsFor(attributes.length))]), ...parts);
}
