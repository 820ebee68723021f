import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { answered, collectionWire, readCollection } from "../../src/sfumato/collect/client/collection.js";
import { hex } from "../../src/sfumato/collect/client/wire.js";

const vectors = JSON.parse(readFileSync(new URL("collection-vectors.json", import.meta.url), "utf8"));

test("reports of every protocol travel as the Python package writes them", () => {
  assert.ok(vectors.length > 20);
  for (const { public: told, cases } of vectors) {
    for (const { reports, wire, body } of cases) {
      assert.equal(hex(collectionWire(readCollection(told), reports.map((one) => one && one.map(BigInt)))), wire);
      assert.equal(Buffer.from(body.reports, "base64").toString("hex"), wire);
    }
  }
});

test("wrong answers are refused before anything is drawn", () => {
  const chance = { below: () => assert.fail(), bits: () => assert.fail(), coin: () => assert.fail() };
  for (const { public: told } of vectors) {
    const collection = readCollection(told);
    const good = told.questions.map(() => 0);
    for (const wrong of [-1, told.questions[0].values.length, 0.5, "0", null, undefined]) {
      assert.throws(() => answered(collection, [wrong, ...good.slice(1)], { chance }), RangeError);
    }
    assert.throws(() => answered(collection, [...good, 0], { chance }), RangeError);
  }
});

test("what is told in another way is refused", () => {
  const { public: told } = vectors.find((one) => one.public.protocol === "RS+FD[OUE-z]");
  const changed = (device) => ({ ...told, device: { ...told.device, ...device } });
  const [first, ...rest] = told.device.attributes;
  assert.throws(() => readCollection({ kind: "survey" }), TypeError);
  assert.throws(() => readCollection(changed({ name: "toString" })), /does not know the protocol/);
  assert.throws(() => readCollection(changed({ name: "SPL" })), /does not know the protocol/);
  assert.throws(() => readCollection(changed({ attributes: rest })), /its attribute/);
  assert.throws(() => readCollection(changed({ attributes: [{ ...first, bits: 9 }, ...rest] })), /must take 9 bits/);
  assert.throws(() => readCollection(changed({ attributes: [{ ...first, mechanism: "XYZ" }, ...rest] })), /mechanism XYZ/);
});
