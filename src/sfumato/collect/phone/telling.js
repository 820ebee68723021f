// What a person is told of each question: what leaves the phone, how likely it is true, and how little it can tell.

import { exactly } from "../client/exact.js";
import { say } from "./words.js";

const SMALL = 20;

/** A probability as people say it: "3 chances in 4" where that is exact to a billionth, else in a hundred. */
export function chanceOf(probability, language) {
  for (let bottom = 1; bottom <= SMALL; bottom++) {
    const top = Math.round(probability * bottom);
    if (Math.abs(probability - top / bottom) < 1e-9) return say(language, top === 1 ? "ofOne" : "of", { top, bottom });
  }
  const share = new Intl.NumberFormat(language, { maximumSignificantDigits: 3 }).format(100 * probability);
  return say(language, "in100", { share });
}

/** A factor e^ε, rounded up in its third digit (what is a billionth above a short number is that number). */
export function factorOf(epsilon, language) {
  const factor = Math.exp(epsilon);
  const unit = 10 ** (Math.floor(Math.log10(factor)) - 2);
  return new Intl.NumberFormat(language, { maximumSignificantDigits: 3 }).format(Math.ceil((factor / unit) * (1 - 1e-9)) * unit);
}

const float = (text) => {
  const [top, bottom] = exactly(text);
  return Number(top) / Number(bottom);
};
const noiseOf = ({ rare, rare_is_noise: rareIsNoise }) => (rareIsNoise ? rare : 1 - rare);
const kept = (noise, size) => 1 - noise + noise / size;

/** How the report of a question comes about, as a key of the words and the chances it names. */
const HOW = {
  GRR: ({ domain_size: k, coin }) => ["direct", { own: kept(noiseOf(coin), k) }],
  SUE: ({ coin }) => ["bits", { noise: noiseOf(coin) }],
  OUE: ({ coin }) => ["fair", { noise: noiseOf(coin) }],
  BLH: () => ["hash", {}],
  OLH: () => ["hash", {}],
  SubsetSelection: () => ["set", {}],
  "every bit": ({ coin }) => ["bits", { noise: noiseOf(coin) }],
  "one bit": ({ coin }) => ["oneBit", { noise: noiseOf(coin) }],
  "L-GRR": ({ chain: { p1, p2, q1, q2 }, domain_size: k }) => ["direct", { own: float(p1) * float(p2) + (k - 1) * float(q1) * float(q2) }],
  LOLOHA: () => ["hash", {}],
};

const coins = ({ yes_if_yes: yes, yes_if_no: no }) => ["coins", { yes: float(yes), no: float(no) }];

/** What is said of a question: sentences. */
export function told(question, language) {
  const { mechanism, parameters, said, spent, remembers } = question;
  const how = HOW[mechanism] ?? ("yes_if_yes" in parameters ? coins : () => [said.kind === "number" ? "number" : "lot", {}]);
  const [key, chances] = how(parameters);
  const values = Object.fromEntries(Object.entries(chances).map(([name, p]) => [name, chanceOf(p, language)]));
  const out = [say(language, key, values), say(language, "factor", { factor: factorOf(spent.report, language) })];
  if (remembers) out.push(say(language, "remembered"));
  if (question.times.length > 1) out.push(say(language, "lifetime", { factor: factorOf(spent.lifetime, language) }));
  return out;
}

/** The answers that a person reads, in order. */
export function labelsOf({ said }, language) {
  if (said.labels?.[language]) return said.labels[language];
  if (said.kind === "scale") return Array.from({ length: said.bounds[1] - said.bounds[0] + 1 }, (_, i) => String(said.bounds[0] + i));
  if (said.kind === "yes-no") return [say(language, "no"), say(language, "yes")];
  return said.values ?? [];
}

/** A report in words: the answer that is sent, where a report is one; else that it is a code. */
export function reportOf(question, report, language) {
  const direct = ["GRR", "L-GRR"].includes(question.mechanism) || "yes_if_yes" in question.parameters;
  if (direct) return say(language, "report", { report: labelsOf(question, language)[report[0]] });
  return say(language, "code");
}
