// What a person is told of each question: what leaves the phone, how likely it is true, and how little it can tell.

import { lawAmong, lawOf, lawOfAll } from "./laws.js";
import { say } from "./words.js";

const SMALL = 20;
const MANY = 12;

/** A probability as people say it: "3 chances in 4" where that is exact to a billionth, else in a hundred. */
export function chanceOf(probability, language) {
  for (let bottom = 1; bottom <= SMALL; bottom++) {
    const top = Math.round(probability * bottom);
    if (Math.abs(probability - top / bottom) < 1e-9) return say(language, top === 1 ? "ofOne" : "of", { top, bottom });
  }
  const share = new Intl.NumberFormat(language, { maximumSignificantDigits: 3 }).format(100 * probability);
  return say(language, "in100", { share });
}

/** A probability rounded down as far as it is said. */
function downward(probability) {
  const unit = 10 ** (Math.floor(Math.log10(probability)) - 2);
  return Math.floor((probability / unit) * (1 + 1e-12)) * unit;
}

/** A factor e^ε, rounded up in its third digit (what is a billionth above a short number is that number). */
export function factorOf(epsilon, language) {
  const factor = Math.exp(epsilon);
  const unit = 10 ** (Math.floor(Math.log10(factor)) - 2);
  return new Intl.NumberFormat(language, { maximumSignificantDigits: 3 }).format(Math.ceil((factor / unit) * (1 - 1e-9)) * unit);
}

/** A number as people read it. */
const numberOf = (number, language) => new Intl.NumberFormat(language, { maximumSignificantDigits: 4 }).format(number);

/** A sentence with its chances, numbers and words. */
function sentence({ key, chances, numbers, words }, language) {
  const spoken = (from, how) => Object.entries(from).map(([name, one]) => [name, how(one, name)]);
  const word = ([first, of]) => say(language, first, { of: of && say(language, of), ...Object.fromEntries(spoken(numbers, (one) => numberOf(one, language))) });
  return say(language, key, Object.fromEntries([
    ...spoken(chances, (one, name) => chanceOf(name === "atLeast" ? downward(one) : one, language)),
    ...spoken(numbers, (one) => numberOf(one, language)),
    ...spoken(words, word),
  ]));
}

/** What is said of all questions together: sentences. */
export const toldOfAll = (survey, language) =>
  [...lawOfAll(survey).map((one) => sentence(one, language)), say(language, "inAll", { factor: factorOf(survey.epsilon, language) })];

/** What is said of a question: sentences. */
export function told(question, language) {
  const { spent, remembers } = question;
  const out = [...lawAmong(question).map((one) => sentence(one, language)), say(language, "factor", { factor: factorOf(spent.report, language) })];
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

/** Answers in a row; of many the first. */
function rowOf(codes, labels, language) {
  const left = codes.length - MANY;
  const shown = codes.slice(0, MANY).map((code) => labels[code]);
  return new Intl.ListFormat(language).format(left > 0 ? [...shown, say(language, "more", { n: left })] : shown);
}

/** How a report is told, by the last sentence on its question. */
const SAID = { direct: "one", coins: "one", bits: "bits", fair: "bits", twice: "bits", oneBit: "asked", someDrawn: "asked", hash: "box", set: "setOf", code: "codeOf" };

/** A report in words: what is sent, and which answers it speaks for. */
export function reportOf(question, report, language) {
  const { made } = question;
  if (report === null) return say(language, "report", { report: say(language, "notDrawn") });
  if (made.reads) return say(language, "report", { report: readOf(made.reads(report), language) });
  const labels = labelsOf(question, language);
  const codes = made.asked?.(report) ?? labels.map((_, code) => code);
  const [yes, no] = [true, false].map((held) => codes.filter((code) => made.holds(report, code) === held));
  const how = SAID[lawOf(question).at(-1).key];
  if (how === "one") return say(language, "report", { report: labels[yes[0]] });
  const parts = [["yesFor", yes], ...(how === "asked" ? [["noFor", no]] : [])].filter(([, held]) => held.length);
  const said = parts.map(([key, held]) => say(language, key, { answers: rowOf(held, labels, language) })).join(", ");
  if (how === "bits" || how === "asked") return say(language, "report", { report: said || say(language, "allNo") });
  return say(language, how, { answers: yes.length ? rowOf(yes, labels, language) : say(language, "nothing") });
}

/** A number, or a yes or a no. */
function readOf(read, language) {
  if (typeof read === "number") return numberOf(read, language);
  return say(language, read ? "yes" : "no");
}
