// A survey on one phone: answers leave it only after they were randomized. What the server tells of a survey
// (`GET /collections/NAME`) is all that is needed; what the phone remembers is one plain object, kept on it alone.

import { utf8 } from "./chance.js";
import { Chance, subset } from "./exact.js";
import { NUMBERS } from "./numbers.js";
import { ORACLES, bitsFor } from "./oracles.js";
import { REMEMBERED, again } from "./remembered.js";
import { concat } from "./sha256.js";
import { batchOf, fromHex, newId, packed, shortest } from "./wire.js";

const FORMAT = "sfumato.survey-public/1";
const NAME = utf8("SURVEY");

/** A survey as its server tells it, checked: what is asked, and how each answer is randomized. */
export function readSurvey(told) {
  if (told?.kind !== "survey" || told.format !== FORMAT) {
    throw new TypeError(`A survey must be told in the format ${FORMAT}.`);
  }
  const questions = told.questions.map((one, i) => questionOf(one, told.survey.question[i]));
  return Object.freeze({ ...told, questions });
}

function questionOf(one, said) {
  const [protocol, once] = [REMEMBERED[one.mechanism], ORACLES[one.mechanism] ?? NUMBERS[one.mechanism]];
  if (!protocol && !once) throw new RangeError(`This client does not know the mechanism ${one.mechanism}.`);
  const made = protocol?.(one.parameters) ?? once(one.parameters);
  const widths = protocol ? [...made.traitWidths, ...made.partWidths] : made.widths;
  if (widths.reduce((sum, width) => sum + width, 0) !== one.bits) {
    throw new RangeError(`A report by ${one.mechanism} must take ${one.bits} bits.`);
  }
  return Object.freeze({ ...one, said, widths, made, remembers: Boolean(protocol), checked: answerOf(one, said) });
}

/** What turns an answer into what is randomized, or refuses it: a code, codes, or a number. */
function answerOf(one, said) {
  if (said.kind === "some-of") return (codes) => codesOf(codes, said.values.length, said.most);
  if (NUMBERS[one.mechanism]) return (number) => numberOf(number);
  if (said.kind === "scale") return (number) => codeOf(number - said.bounds[0], said.bounds[1] - said.bounds[0] + 1);
  return (code) => codeOf(code, said.values?.length ?? 2);
}

function codeOf(code, size) {
  if (!Number.isInteger(code) || code < 0 || code >= size) throw new RangeError("An answer must be one of those that are offered.");
  return code;
}

function codesOf(codes, size, most) {
  const held = [...new Set(codes)].map((code) => codeOf(code, size));
  if (held.length > most) throw new RangeError(`At most ${most} answers may be chosen.`);
  return held;
}

function numberOf(number) {
  if (typeof number !== "number" || !Number.isFinite(number)) throw new RangeError("An answer must be a number.");
  return number;
}

/** What a phone remembers before it answers: its group and its questions, drawn once, and the day on which it began. */
export function enrolled(survey, today, chance = new Chance()) {
  return {
    digest: survey.digest,
    began: today,
    group: chance.below(survey.groups.length || 1),
    asked: subset(survey.questions.length, survey.asks, chance),
    kept: {},
    sent: [],
  };
}

/** The time of the wire form that is due on a day, a whole number of days as `today` was; null: none that is not answered. */
export function due(survey, memory, today) {
  const past = survey.days.filter((day) => day <= today - memory.began).length - 1;
  const last = memory.sent.length ? memory.sent.at(-1).time : -1;
  return past > last && questionsAt(survey, memory, past).length ? past : null;
}

/** The questions that a phone is asked at a time, as places. */
export const questionsAt = (survey, memory, time) =>
  memory.asked.filter((place) => survey.questions[place].times.includes(time));

/**
 * Randomizes the answers of one time. A time is answered once: a second look at the same answers would cost privacy.
 *
 * `answers` has one answer for each place in `questionsAt`. Returns what leaves the phone (`reports`, by place, and the
 * `body` of the request) and what it remembers afterwards; the batch stands there until it was sent.
 */
export function filled(survey, memory, time, answers, { chance = new Chance(), id = newId() } = {}) {
  const places = questionsAt(survey, memory, time);
  if (memory.digest !== survey.digest) throw new RangeError("What this phone remembers is of another survey.");
  if (memory.sent.some((one) => one.time >= time)) throw new RangeError("This time is answered already.");
  const checked = places.map((place) => survey.questions[place].checked(answers[place]));
  const [reports, kept] = [{}, { ...memory.kept }];
  places.forEach((place, i) => {
    const question = survey.questions[place];
    if (!question.remembers) reports[place] = question.made.draw(checked[i], chance);
    else ({ report: reports[place], kept: kept[question.name] } = again(question.made, kept[question.name], checked[i], chance));
  });
  const body = batchOf(survey.digest, id, wireOf(survey, { time, group: memory.group, asked: memory.asked }, reports));
  return { reports, body, memory: { ...memory, kept, sent: [...memory.sent, { time, body }] } };
}

/** One phone's reports as bytes; `reports` by place, of the questions that are asked at that time. */
export function wireOf(survey, { time, group, asked }, reports) {
  const { questions, days, groups, asks } = survey;
  const count = new Uint8Array(8);
  count[0] = 1;
  const head = [Uint8Array.of(1, NAME.length), NAME, fromHex(survey.digest), Uint8Array.from(shortest(questions.length)), count];
  const parts = [packed([time], [bitsFor(days.length)]), packed([group], [bitsFor(groups.length)])];
  if (asks < questions.length) {
    const bits = questions.map((_, place) => +asked.includes(place));
    parts.push(packed(bits, bits.map(() => 1)));
  }
  for (const place of questionsAt(survey, { asked }, time)) parts.push(packed(reports[place], questions[place].widths));
  return concat(...head, ...parts);
}
