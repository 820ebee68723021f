import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { exactly, subset } from "../../src/sfumato/collect/client/exact.js";
import { due, enrolled, filled, questionsAt, readSurvey, wireOf } from "../../src/sfumato/collect/client/survey.js";
import { hex } from "../../src/sfumato/collect/client/wire.js";
import { lawOf } from "./laws.js";

const vectors = JSON.parse(readFileSync(new URL("survey-vectors.json", import.meta.url), "utf8"));
const every = readSurvey(vectors[0].public);

/** Some answer to each question of a time. */
function answersAt(survey, memory, time) {
  const some = ({ said }) => (said.kind === "some-of" ? [1] : said.kind === "scale" ? said.bounds[1] : said.kind === "number" ? 3.7 : 1);
  return Object.fromEntries(questionsAt(survey, memory, time).map((place) => [place, some(survey.questions[place])]));
}

test("reports of every mechanism travel as the Python package writes them", () => {
  for (const { public: told, cases } of vectors) {
    const survey = readSurvey(told);
    assert.ok(cases.length >= 4);
    for (const { time, group, asked, reports, wire, body } of cases) {
      const byPlace = Object.fromEntries(survey.questions.map(({ name }, place) => [place, [reports[name]].flat()]));
      assert.equal(hex(wireOf(survey, { time, group, asked }, byPlace)), wire);
      assert.equal(Buffer.from(body.reports, "base64").toString("hex"), wire);
    }
  }
});

test("probabilities are taken exactly", () => {
  for (const float of [1, 0.5, 0.1, 0.3, 1 - 2 ** -53, 2 ** -900]) {
    const [top, bottom] = exactly(float);
    assert.equal(Number(top) / Number(bottom), float);
  }
  assert.deepEqual(exactly(5e-324), [1n, 1n << 1074n]);
  assert.deepEqual(exactly("2/3"), [2n, 3n]);
  for (const wrong of ["3/2", "1/0", "x", 1.5, -0.1, NaN]) assert.throws(() => exactly(wrong), RangeError);
});

test("subsets are uniform", () => {
  const law = lawOf((chance) => subset(5, 2, chance));
  assert.equal(law.size, 10);
  for (const probability of law.values()) assert.deepEqual(probability, [1n, 10n]);
});

test("a time is answered once, the same answer is remembered, and only a later time is due", () => {
  let memory = enrolled(every, 100);
  assert.equal(due(every, memory, 100), 0);
  const first = filled(every, memory, 0, answersAt(every, memory, 0));
  assert.deepEqual(memory.sent, []);
  memory = JSON.parse(JSON.stringify(first.memory)); // it is kept as text
  assert.throws(() => filled(every, memory, 0, answersAt(every, memory, 0)), /answered already/);
  assert.equal(due(every, memory, 100), null);
  assert.equal(due(every, memory, 99), null); // the clock went back
  assert.equal(due(every, memory, 101), 1);
  const second = filled(every, memory, 1, answersAt(every, memory, 1));
  assert.deepEqual(second.memory.kept, memory.kept);
  assert.equal(due(every, second.memory, 100 + 7), 3);
  assert.equal(JSON.parse(second.body).collection, every.digest);
});

test("what the phone remembers stays on it", () => {
  const memory = enrolled(every, 0);
  const { body, memory: later } = filled(every, memory, 0, answersAt(every, memory, 0));
  assert.deepEqual(Object.keys(JSON.parse(body)).sort(), ["batch", "collection", "format", "reports"]);
  const remembered = every.questions.filter((one) => one.remembers).map((one) => one.name);
  assert.deepEqual(Object.keys(later.kept).sort(), remembered.sort());
});

test("wrong answers are refused before anything is drawn", () => {
  const memory = enrolled(every, 0);
  const untouched = { below: () => assert.fail(), bits: () => assert.fail(), coin: () => assert.fail(), pick: () => assert.fail() };
  const good = answersAt(every, memory, 0);
  const wrong = { "yes-no": [2, -1, 0.5, "1", undefined], "one-of": [5, null], scale: [0, 5, 2.5], number: [NaN, "3", Infinity], "some-of": [[3], [0, 1, 2, 3]] };
  for (const place of questionsAt(every, memory, 0)) {
    for (const answer of wrong[every.questions[place].said.kind]) {
      assert.throws(() => filled(every, memory, 0, { ...good, [place]: answer }, { chance: untouched }), RangeError);
    }
  }
});
