import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { readSurvey } from "../../src/sfumato/collect/client/survey.js";
import { chanceOf, factorOf, labelsOf, reportOf, told } from "../../src/sfumato/collect/phone/telling.js";
import { WORDS } from "../../src/sfumato/collect/phone/words.js";

const every = readSurvey(JSON.parse(readFileSync(new URL("survey-vectors.json", import.meta.url), "utf8"))[0].public);

test("both languages say the same things with the same values", () => {
  assert.deepEqual(Object.keys(WORDS.fr), Object.keys(WORDS.en));
  const holes = (text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
  for (const [key, text] of Object.entries(WORDS.en)) {
    assert.deepEqual(holes(WORDS.fr[key]), holes(text), key);
    assert.notEqual(WORDS.fr[key], text, key);
  }
});

test("the page uses every word, and only these", () => {
  const source = ["phone.js", "telling.js"].map((name) => readFileSync(new URL(`../../src/sfumato/collect/phone/${name}`, import.meta.url), "utf8")).join();
  const keys = Object.keys(WORDS.en).filter((key) => key !== "noscript");
  assert.deepEqual(keys.filter((key) => !source.includes(`"${key}"`)), []);
});

test("chances are said as people say them, and factors never look better than they are", () => {
  assert.equal(chanceOf(0.75, "en"), "3 chances in 4");
  assert.equal(chanceOf(1 / 6, "fr"), "1 chance sur 6");
  assert.equal(chanceOf(0.7310585786300049, "en"), "73.1 chances in 100");
  assert.equal(factorOf(Math.log(3), "en"), "3");
  assert.equal(factorOf(1, "en"), "2.72");
  assert.equal(factorOf(1.6094379124341005, "en"), "5");
  assert.equal(factorOf(1.0001, "fr"), "2,72");
  for (const epsilon of [0.01, 0.5, 1, 2, 7.3]) {
    assert.ok(Number(factorOf(epsilon, "en").replaceAll(",", "")) >= Math.exp(epsilon) * (1 - 2e-9));
  }
});

test("every mechanism is told in both languages, with numbers that are some", () => {
  for (const language of ["en", "fr"]) {
    for (const question of every.questions) {
      const said = told(question, language).join(" ");
      assert.doesNotMatch(said, /undefined|NaN|\{/);
      const report = question.widths.map(() => 0);
      assert.doesNotMatch(reportOf(question, report, language), /undefined/);
      if (question.said.kind !== "number") assert.ok(labelsOf(question, language).length >= 2);
    }
  }
  assert.match(told(every.questions[1], "en")[0], /5 chances in 6/);
  assert.match(told(every.questions[0], "en")[0], /73.1 chances in 100/);
});
