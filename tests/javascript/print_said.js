// Prints what the phone's page says of each question of a survey, which comes as JSON: its sentences' keys, chances and numbers,
// and what each report of a number is read as.

import { readFileSync } from "node:fs";

import { readSurvey } from "../../src/sfumato/collect/client/survey.js";
import { lawOf } from "../../src/sfumato/collect/phone/laws.js";

const said = (question) => {
  const { outputs, reads } = question.made;
  const lines = lawOf(question).map(({ key, chances, numbers }) => ({ key, ...chances, ...numbers }));
  return { lines, reads: reads ? Array.from({ length: outputs }, (_, code) => reads([code])) : null };
};

const survey = readSurvey(JSON.parse(readFileSync(0, "utf8")));
console.log(JSON.stringify(Object.fromEntries(survey.questions.map((one) => [one.name, said(one)]))));
