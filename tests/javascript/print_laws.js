// Prints the exact law of every question of the survey with all mechanisms: answer → report → probability, and its bytes.

import { readFileSync } from "node:fs";

import { again } from "../../src/sfumato/collect/client/remembered.js";
import { readSurvey } from "../../src/sfumato/collect/client/survey.js";
import { hex, packed } from "../../src/sfumato/collect/client/wire.js";
import { lawOf } from "./laws.js";

const survey = readSurvey(JSON.parse(readFileSync(new URL("survey-vectors.json", import.meta.url), "utf8"))[0].public);

function answersTo({ said }) {
  if (said.kind === "some-of") return subsetsOf(said.values.length).filter((codes) => codes.length <= said.most);
  if (said.kind === "number") return [0, 1, 5, 7.5, 10];
  if (said.kind === "scale") return Array.from({ length: said.bounds[1] - said.bounds[0] + 1 }, (_, i) => said.bounds[0] + i);
  return (said.values ?? ["no", "yes"]).map((_, code) => code);
}

const subsetsOf = (n) => Array.from({ length: 2 ** n }, (_, set) => Array.from({ length: n }, (_, i) => i).filter((i) => (set >> i) & 1));

function told(question) {
  return answersTo(question).map((answer) => {
    const value = question.checked(answer);
    const once = (chance) => (question.remembers ? again(question.made, undefined, value, chance).report : question.made.draw(value, chance));
    const law = lawOf(once);
    const found = { answer, reports: plain(law, question.widths), holds: heldBy(question, law) };
    if (!question.remembers) return found;
    const kept = (chance) => [question.made.traits(chance)].map((traits) => [...traits, ...question.made.answer(question.made.input(value, traits), traits, chance)])[0];
    return { ...found, kept: plain(lawOf(kept), question.widths) };
  });
}

/** Which answers each report speaks for; of numbers nothing. */
function heldBy({ made, said, widths }, law) {
  if (!made.holds) return {};
  const codes = answersTo({ said: { ...said, kind: said.values ? "one-of" : said.kind } }).map((_, code) => code);
  return Object.fromEntries([...law.keys()].map(JSON.parse).map((report) => [hex(packed(report, widths)), codes.filter((code) => made.holds(report, code))]));
}

const plain = (law, widths) =>
  Object.fromEntries([...law].map(([report, [top, bottom]]) => [hex(packed(JSON.parse(report), widths)), `${top}/${bottom}`]));

console.log(JSON.stringify(Object.fromEntries(survey.questions.map((one) => [one.name, told(one)]))));
