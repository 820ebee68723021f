// What leaves the phone, and how likely: of each mechanism the sentences that say it, with their exact chances and numbers.

import { exactly } from "../client/exact.js";
import { bitsFor, noiseOf } from "../client/oracles.js";

const float = (text) => {
  const [top, bottom] = exactly(text);
  return Number(top) / Number(bottom);
};

/** A sentence: its key among the words, the chances it names, the numbers, and the words that stand in it. */
const line = (key, chances = {}, numbers = {}, words = {}) => ({ key, chances, numbers, words });

/** How often a symbol is sent that noise replaces by any symbol. */
const kept = (noise, size) => 1 - noise + noise / size;

/** How often a symbol is sent that stays twice, each time with its probability, or becomes any other. */
const keptTwice = ({ p1, p2 }, size) => float(p1) * float(p2) + ((1 - float(p1)) * (1 - float(p2))) / (size - 1);

const others = (own, size) => (1 - own) / (size - 1);

const value = (own, size) => [line("direct", { own, other: others(own, size) })];

const box = (own, boxes) => [line("hash", { own, other: others(own, boxes) }, { boxes })];

const flipped = ({ coin }) => [line("bits", { noise: noiseOf(coin) })];

const half = ({ coin }) => [line("fair", { noise: noiseOf(coin) })];

const hashed = ({ encoding: { n_buckets: boxes }, coin }) => box(kept(noiseOf(coin), boxes), boxes);

/** A bit is turned round twice, the second time alike for yes and no. */
function twice({ chain }) {
  const [yes, no, turned] = [chain.p1, chain.q1, chain.q2].map(float);
  const sent = (one) => one + turned - 2 * one * turned;
  return [line("twice", { own: sent(yes), other: sent(no) })];
}

/** Of each other value so many sets of both sorts hold it. */
function set({ encoding: { domain_size: all, size }, coin }) {
  const noise = noiseOf(coin);
  if (size === 1) return value(1 - noise, all);
  return [line("set", { own: 1 - noise, other: (size - 1 + noise) / (all - 1) }, { size, all })];
}

const hadamard = ({ domain_size: k, coin }) =>
  [line("code", { own: 1 - noiseOf(coin), other: 1 / 2 }, { codes: 2 ** bitsFor(k + 1) })];

/** On a plane there are `plane` points, and `both` of them on any other plane. */
function projective({ encoding: { space: { q, t } }, coin }) {
  const [codes, plane, both] = [t, t - 1, t - 2].map((dimension) => (q ** dimension - 1) / (q - 1));
  const noise = noiseOf(coin);
  return [line("code", { own: 1 - noise, other: ((1 - noise) * both) / plane + (noise * (plane - both)) / (codes - plane) }, { codes })];
}

const coins = ({ yes_if_yes: yes, yes_if_no: no }) => [line("coins", { yes: float(yes), no: float(no) })];

const bit = ({ grid: { low, high }, coin }) => [line("bit", { least: noiseOf(coin), greatest: 1 - noiseOf(coin) }, { low, high })];

/** Of a number the phone first makes a point of its grid; a scale has no others. */
function point({ grid: { low, high, steps } }, isScale) {
  return isScale ? [] : [line("grid", {}, { points: steps + 1, step: (high - low) / steps })];
}

/** A point itself, or what is near to it. */
function near(reach, isScale) {
  const of = isScale ? "yours" : "rounded";
  return { numbers: reach ? { reach } : {}, words: { what: [reach ? "within" : "itself", of] } };
}

function spread(parameters, { made, said }, outputs = made.outputs) {
  const { steps, width, coin } = parameters.window;
  const ends = { least: made.reads([0]), greatest: made.reads([outputs - 1]) };
  return [...point(parameters, said.kind === "scale"), line("window", { near: 1 - noiseOf(coin) }, { all: steps + width, some: width, ...ends }, { which: [width === 1 ? "theOne" : "oneOf"] })];
}

function wave(parameters, { made, said }) {
  const { grid: { low, high }, window: { steps, width, coin } } = parameters;
  const ends = { least: made.reads([0]), greatest: made.reads([made.outputs - 1]) };
  const { numbers, words } = near((((high - low) / steps) * (width - 1)) / 2, said.kind === "scale");
  return [...point(parameters, said.kind === "scale"), line("wave", { near: 1 - noiseOf(coin) }, { ...ends, ...numbers }, words)];
}

function hybrid({ alpha, piecewise, duchi }, question) {
  if (!alpha) return bit(duchi);
  return [line("ways", { first: alpha }), ...spread(piecewise, question, question.made.outputs - 2), line("otherWay", { second: 1 - alpha }), ...bit(duchi)];
}

/** As near as what is sent mostly is, wherever the number lies. */
function redrawn(parameters, { said }) {
  const { grid: { low, high, steps }, weights } = parameters;
  const mass = massWithin(weights.map(BigInt));
  let [under, reach] = [-1, steps];
  while (reach - under > 1) {
    const middle = Math.floor((under + reach) / 2);
    if (mass(middle) >= 0.5) reach = middle;
    else under = middle;
  }
  const { numbers, words } = near((reach * (high - low)) / steps, said.kind === "scale");
  return [...point(parameters, said.kind === "scale"), line("redrawn", { atLeast: mass(reach) }, { low, high, ...numbers }, words)];
}

/** How often noise redrawn until it is inside stays within so many steps, from the point where that is least often. */
function massWithin(weights) {
  const sums = [0n];
  for (const weight of weights) sums.push(sums.at(-1) + weight);
  const last = weights.length - 1;
  const inside = (i, reach) => sums[Math.min(i, reach) + 1] + sums[Math.min(last - i, reach) + 1] - weights[0];
  const share = (top, bottom) => Number((top << 60n) / bottom) / 2 ** 60;
  return (reach) => Math.min(...weights.map((_, i) => share(inside(i, reach), inside(i, last))));
}

const LAWS = {
  GRR: ({ domain_size: k, coin }) => value(kept(noiseOf(coin), k), k),
  SUE: flipped,
  OUE: half,
  BLH: hashed,
  OLH: hashed,
  SubsetSelection: set,
  HadamardResponse: hadamard,
  ProjectiveGeometryResponse: projective,
  Warner: coins,
  "forced response": coins,
  "mirrored question": coins,
  "disguised response": coins,
  "unrelated question": coins,
  "every bit": flipped,
  "one bit": ({ domain_size: all, coin }) => [line("oneBit", { noise: noiseOf(coin) }, { all })],
  "Duchi one bit": bit,
  piecewise: spread,
  hybrid,
  "square wave": wave,
  "bounded Laplace": redrawn,
  "calibrated staircase": redrawn,
  "L-GRR": ({ domain_size: k, chain }) => value(keptTwice(chain, k), k),
  "L-SUE": twice,
  "L-OSUE": twice,
  LOLOHA: ({ n_cells: cells, chain }) => box(keptTwice(chain, cells), cells),
  dBitFlipPM: ({ domain_size: all, n_bits: drawn, q1 }) => [line("someDrawn", { noise: float(q1) }, { all, drawn })],
};

/** The sentences on the mechanism of one question, each with what stands in it. */
export const lawOf = (question) => LAWS[question.mechanism](question.parameters, question);

/** How several questions share one report: the sentences before those of each of them. */
export const lawOfAll = ({ drawn, questions }) => (drawn ? [line(drawn, {}, { n: questions.length })] : []);

/** The sentences on a question among others, of which one is drawn: what is sent if it is this one, and if it is not. */
export function lawAmong(question) {
  if (!question.among) return lawOf(question);
  const { of, otherwise } = question.among;
  return [line("drawn", { drawn: 1 / of }), ...lawOf(question), line(otherwise)];
}
