import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { readSurvey } from "../../src/sfumato/collect/client/survey.js";
import { lawOf } from "../../src/sfumato/collect/phone/laws.js";
import { readAsked } from "../../src/sfumato/collect/phone/asked.js";
import { chanceOf, factorOf, labelsOf, reportOf, told, toldOfAll } from "../../src/sfumato/collect/phone/telling.js";
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
  const source = ["phone.js", "telling.js", "laws.js", "asked.js"].map((name) => readFileSync(new URL(`../../src/sfumato/collect/phone/${name}`, import.meta.url), "utf8")).join();
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

test("a report is told by what it says", () => {
  const named = (name) => every.questions.find((one) => one.name === name);
  for (const [name, report, said] of [
    ["cheats", [1], "sent: yes"],
    ["GRR", [2], "sent: c"],
    ["SUE", [0b00101], "sent: yes for a and c"],
    ["OUE", [0], "sent: no for every answer"],
    ["OLH", [0, 0, 0], "sent: a box that holds a, b, c, d, and e"],
    ["OLH", [0, 0, 1], "sent: a box that holds none of the answers"],
    ["HadamardResponse", [0b101], "sent: a code that stands for b and e"],
    ["hobbies", [1, 0, 1], "sent: yes for h1 and h3"],
    ["foods", [2 * 1 + 0], "sent: no for f2"],
    ["duchi", [1], "sent: yes"],
    ["square wave", [1], "sent: 5"],
    ["LOLOHA", [1, 0, 1], "sent: a box that holds 2"],
    ["dBitFlipPM", [1, 4, 1, 0], "sent: yes for b, no for e"],
  ]) {
    assert.equal(reportOf(named(name), report, "en"), said, name);
  }
  assert.equal(reportOf(named("HadamardResponse"), [0b101], "fr"), "envoyé : un code pour b et e");
});

test("of many answers the first are told, and how many more", () => {
  const values = Array.from({ length: 20 }, (_, i) => `v${i}`);
  const many = { mechanism: "SUE", parameters: { coin: { rare: 0.25, rare_is_noise: true } }, said: { kind: "one-of", values }, made: { holds: () => true } };
  assert.match(reportOf(many, [], "en"), /^sent: yes for v0, .*v11, and 8 more$/);
});

test("what is at least so likely is never said to be more likely", () => {
  const laplace = every.questions.find((one) => one.name === "laplace");
  const said = Number(/at least ([\d.]+) chances/.exec(told(laplace, "en").join(" "))[1]);
  const exact = lawOf(laplace).at(-1).chances.atLeast;
  assert.ok(said <= 100 * exact && said > 100 * exact - 0.1);
});

test("declared questions are told with what is sent when another one is drawn, and answered once", () => {
  const collections = JSON.parse(readFileSync(new URL("collection-vectors.json", import.meta.url), "utf8"));
  const page = { title: { en: "Habits" }, consent: { en: "Yes?" }, languages: ["en"] };
  const lines = {};
  for (const { public: one } of collections) {
    const asked = readAsked({ ...one, page });
    for (const language of ["en", "fr"]) {
      const said = [...toldOfAll(asked, language), ...asked.questions.flatMap((question) => told(question, language))];
      assert.doesNotMatch(said.join(" "), /undefined|NaN|\{/);
      if (language === "en") lines[one.protocol] = said;
    }
    const memory = { digest: one.digest, sent: [] };
    const done = asked.fill(memory, 0, asked.questions.map(() => 1));
    assert.deepEqual(done.memory.sent, [{ time: 0, body: done.body }]);
    assert.throws(() => asked.fill(done.memory, 0, asked.questions.map(() => 1)), /answered already/);
    asked.questions.forEach((question, i) => assert.match(reportOf(question, done.reports[i], "en"), /^sent: /));
    assert.equal(done.reports.filter((report) => report === null).length, one.protocol.startsWith("SMP") ? 1 : 0);
  }
  for (const [protocol, said] of [
    ["RS+FD[GRR]", "Otherwise an answer drawn by lot is sent, whatever yours is."],
    ["RS+FD[OUE-z]", "Otherwise the same is done as if none of the answers were yours."],
    ["RS+RFD[OUE-r]", "Otherwise the same is done with an answer drawn by lot, whatever yours is."],
    ["SMP[GRR]", "Otherwise nothing is sent of your answer."],
  ]) {
    assert.ok(lines[protocol].includes("With 1 chance in 2 this question is drawn. Then:"), protocol);
    assert.ok(lines[protocol].includes(said), protocol);
  }
  assert.match(lines["RS+FD[GRR]"][0], /which one is told to nobody/);
  for (const protocol of ["SPL[GRR]", "every attribute[GRR]", "OUE"]) assert.doesNotMatch(lines[protocol].join(" "), /drawn\. Then/);
});
