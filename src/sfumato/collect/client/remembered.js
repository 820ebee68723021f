// One value asked again and again: what is drawn once stays on the device, and every report is drawn from it.

import { exactly, subset } from "./exact.js";
import { bitsFor, times } from "./oracles.js";

const PRIME = 2 ** 31 - 1;

/** A symbol that stays with probability `keep`, else any other of them. */
function keepOrMove(symbol, size, keep, chance) {
  return chance.coin(exactly(keep)) ? symbol : (symbol + 1 + chance.below(size - 1)) % size;
}

const none = { traitWidths: [], traits: () => [] };

/** Randomized response twice. */
const lGrr = ({ domain_size: k, chain }) => ({
  ...none,
  partWidths: [bitsFor(k)],
  input: (code) => code,
  answer: (input, _traits, chance) => [keepOrMove(input, k, chain.p1, chance)],
  report: ([answer], chance) => [keepOrMove(answer, k, chain.p2, chance)],
  holds: ([value], code) => value === code,
});

/** A bit for each value, randomized twice. */
const lUnary = ({ domain_size: k, chain }) => ({
  ...none,
  partWidths: times(k, 1),
  input: (code) => code,
  answer: (input, _traits, chance) =>
    Array.from({ length: k }, (_, value) => +chance.coin(exactly(value === input ? chain.p1 : chain.q1))),
  report: (answer, chance) => answer.map((bit) => bit ^ +chance.coin(exactly(chain.q2))),
  holds: (bits, code) => bits[code] === 1,
});

const cell = (a, b, code, cells) => Number((BigInt(a) * BigInt(code) + BigInt(b)) % BigInt(PRIME)) % cells;

/** The cell of the value under a hash function of the device's own, by randomized response twice. */
const loloha = ({ n_cells: g, chain }) => ({
  traitWidths: [31, 31],
  traits: (chance) => [chance.below(PRIME), chance.below(PRIME)],
  partWidths: [bitsFor(g)],
  input: (code, [a, b]) => cell(a, b, code, g),
  answer: (input, _traits, chance) => [keepOrMove(input, g, chain.p1, chance)],
  report: ([answer], chance) => [keepOrMove(answer, g, chain.p2, chance)],
  holds: ([a, b, sent], code) => cell(a, b, code, g) === sent,
});

/** A bit for each of d buckets drawn once; the same bits are sent each time. */
function dBitFlip({ domain_size: k, n_buckets: b, n_bits: d, q1 }) {
  const place = (code, drawn) => drawn.indexOf(Math.floor((code * b) / k));
  const placeIn = (report, code) => place(code, report.slice(0, d));
  return {
    traitWidths: times(d, bitsFor(b)),
    traits: (chance) => subset(b, d, chance),
    partWidths: times(d, 1),
    input: (code, drawn) => (place(code, drawn) < 0 ? d : place(code, drawn)),
    answer: (input, _traits, chance) => Array.from({ length: d }, (_, i) => +((i === input) !== chance.coin(exactly(q1)))),
    report: (answer) => answer,
    asked: (report) => Array.from({ length: k }, (_, code) => code).filter((code) => placeIn(report, code) >= 0),
    holds: (report, code) => report[d + placeIn(report, code)] === 1 && placeIn(report, code) >= 0,
  };
}

/** Protocols that remember, by name. */
export const REMEMBERED = { "L-GRR": lGrr, "L-SUE": lUnary, "L-OSUE": lUnary, LOLOHA: loloha, dBitFlipPM: dBitFlip };

/** One report, and what the device remembers of this question afterwards: `{traits, answers}`. Nothing given is changed. */
export function again(protocol, kept, code, chance) {
  const traits = kept?.traits ?? protocol.traits(chance);
  const input = protocol.input(code, traits);
  const answer = kept?.answers[input] ?? protocol.answer(input, traits, chance);
  const report = [...traits, ...protocol.report(answer, chance)];
  return { report, kept: { traits, answers: { ...kept?.answers, [input]: answer } } };
}
