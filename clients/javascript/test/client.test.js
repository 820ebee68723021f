import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { coins, freshWords } from "../src/chance.js";
import { RapporClient, bloomBits, newSecret, pack, readParameters } from "../src/index.js";
import { hmacSha256, sha256 } from "../src/sha256.js";

const vectors = JSON.parse(readFileSync(new URL("vectors.json", import.meta.url), "utf8"));
const bytes = (hex) => Uint8Array.from(Buffer.from(hex, "hex"));
const places = (bits) => bits.flatMap((bit, i) => (bit ? [i] : []));

test("SHA-256 and HMAC equal Node's on every length up to three blocks", () => {
  for (let n = 0; n < 200; n++) {
    const text = Uint8Array.from({ length: n }, (_, i) => (i * 37 + n) & 255);
    assert.equal(Buffer.from(sha256(text)).toString("hex"), createHash("sha256").update(text).digest("hex"));
    const key = text.slice(0, Math.min(64, n));
    assert.equal(Buffer.from(hmacSha256(key, text)).toString("hex"), createHmac("sha256", key).update(text).digest("hex"));
  }
});

test("Bloom bits, cohorts, digests and permanent responses are those of the Python client", () => {
  assert.ok(vectors.length >= 4);
  for (const vector of vectors) {
    const parameters = readParameters(vector.parameters);
    assert.equal(parameters.digestHex, vector.digest);
    for (const one of vector.values) {
      const client = new RapporClient(parameters, bytes(one.secret));
      assert.equal(client.cohort, one.cohort);
      assert.deepEqual(bloomBits(parameters, one.value, one.cohort), one.bloom);
      assert.deepEqual(places(client.permanent(one.value)), one.permanent);
      if (one.report) assert.deepEqual(places(client.report(one.value)), one.report);
    }
  }
});

test("the permanent response is drawn once, the report anew", () => {
  const parameters = readParameters(vectors[0].parameters);
  const client = new RapporClient(parameters, newSecret());
  const first = places(client.permanent("x"));
  for (let i = 0; i < 100; i++) assert.deepEqual(places(client.permanent("x")), first);
  const reports = new Set(Array.from({ length: 20 }, () => places(client.report("x")).join()));
  assert.ok(reports.size > 1);
});

test("coins are exact within the error of a million: false alarm below 1e-8", () => {
  for (const [top, bottom] of [[1, 3], [3, 4], [0, 1], [1, 1], [999, 1000]]) {
    const n = 1_000_000;
    const ones = coins(n, [top, bottom], freshWords()).filter(Boolean).length;
    const p = top / bottom;
    assert.ok(Math.abs(ones - n * p) <= 6 * Math.sqrt(n * p * (1 - p)));
  }
});

test("bit j is bit j mod 8 of byte j div 8", () => {
  const report = Array.from({ length: 13 }, (_, j) => j === 0 || j === 9);
  assert.deepEqual([...pack(report)], [1, 2]);
});

test("wrong parameters, secrets, cohorts and values are refused", () => {
  const parameters = readParameters(vectors[0].parameters);
  const data = JSON.parse(vectors[0].parameters);
  for (const change of [{ format: "x" }, { extra: 1 }, { f: "3/2" }, { f: "1" }, { p: "3/4", q: "1/2" }, { q: "0.5" }]) {
    assert.throws(() => readParameters(JSON.stringify({ ...data, ...change })));
  }
  assert.throws(() => new RapporClient(parameters, new Uint8Array(8)));
  assert.throws(() => bloomBits(parameters, "x", parameters.cohorts));
  const basic = vectors.map((v) => readParameters(v.parameters)).find((p) => p.values.length);
  assert.throws(() => bloomBits(basic, "not declared", 0));
});
