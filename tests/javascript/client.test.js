import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { FreshWords, coins, secure } from "../../src/sfumato/collect/client/chance.js";
import { RapporClient, bloomBits, newSecret, pack, readParameters } from "../../src/sfumato/collect/client/index.js";
import { Hash } from "../../src/sfumato/collect/client/sha256.js";

const vectors = JSON.parse(readFileSync(new URL("vectors.json", import.meta.url), "utf8"));
const bytes = (hex) => Uint8Array.from(Buffer.from(hex, "hex"));
const places = (bits) => bits.flatMap((bit, i) => (bit ? [i] : []));

test("SHA-256 and HMAC equal Node's on every length up to three blocks", () => {
  for (let n = 0; n < 200; n++) {
    const text = Uint8Array.from({ length: n }, (_, i) => (i * 37 + n) & 255);
    assert.equal(Buffer.from(new Hash().digest(text)).toString("hex"), createHash("sha256").update(text).digest("hex"));
    const key = text.slice(0, Math.min(64, n));
    assert.equal(Buffer.from(new Hash(key).digest(text)).toString("hex"), createHmac("sha256", key).update(text).digest("hex"));
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
    const ones = coins(n, [top, bottom], new FreshWords()).filter(Boolean).length;
    const p = top / bottom;
    assert.ok(Math.abs(ones - n * p) <= 6 * Math.sqrt(n * p * (1 - p)));
  }
});

test("fresh words are those of the secure source, each given once and wiped as it is given", () => {
  const real = secure.getRandomValues;
  const fetched = [];
  let next = 1;
  secure.getRandomValues = (words) => {
    fetched.push(words);
    for (let i = 0; i < words.length; i++) words[i] = next++;
    return words;
  };
  try {
    const words = new FreshWords();
    for (let i = 1; i <= 2500; i++) {
      assert.equal(words.next(), i);
      const left = fetched.at(-1).filter((word) => word > 0).length;
      assert.equal(left, fetched.length * fetched[0].length - i);
    }
    assert.ok(fetched.length > 1);
  } finally {
    secure.getRandomValues = real;
  }
});

test("a report is 1 with q where the permanent response is 1 and with p elsewhere: false alarm below 1e-8", () => {
  const parameters = readParameters(vectors[0].parameters);
  const client = new RapporClient(parameters, newSecret());
  const kept = client.permanent("x");
  const counts = [[0, 0], [0, 0]];
  for (let i = 0; i < 2000; i++) {
    client.report("x").forEach((bit, j) => {
      counts[Number(kept[j])][0] += 1;
      counts[Number(kept[j])][1] += Number(bit);
    });
  }
  for (const [share, [n, ones]] of [[parameters.p, counts[0]], [parameters.q, counts[1]]]) {
    const p = share[0] / share[1];
    assert.ok(Math.abs(ones - n * p) <= 6 * Math.sqrt(n * p * (1 - p)));
  }
});

test("one client reports long and short texts in any order as clients of their own do", () => {
  const parameters = readParameters(vectors[0].parameters);
  const secret = newSecret();
  const client = new RapporClient(parameters, secret);
  for (const text of ["a", "b".repeat(1000), "", "e\u0301", "é", "日本語".repeat(50), "a"]) {
    assert.deepEqual(client.permanent(text), new RapporClient(parameters, secret).permanent(text));
  }
  assert.deepEqual(client.permanent("e\u0301"), client.permanent("é"));
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
