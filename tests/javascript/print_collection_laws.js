// Prints, of each scheme of the vectors, the exact law of its report: answers → bytes of a report → probability.

import { readFileSync } from "node:fs";

import { collectionWire, readCollection } from "../../src/sfumato/collect/client/collection.js";
import { hex } from "../../src/sfumato/collect/client/wire.js";
import { lawOf } from "./laws.js";

const vectors = JSON.parse(readFileSync(new URL("collection-vectors.json", import.meta.url), "utf8"));

const tuples = (questions) =>
  questions.reduce((all, { values }) => all.flatMap((codes) => values.map((_, code) => [...codes, code])), [[]]);

function lawsOf(told) {
  const collection = readCollection(told);
  const { attributes, draw } = collection.device;
  return tuples(told.questions).map((codes) => {
    const law = lawOf((chance) => draw(attributes, codes, chance));
    const bytes = (report) => hex(collectionWire(collection, JSON.parse(report)));
    return [codes, Object.fromEntries([...law].map(([report, [top, bottom]]) => [bytes(report), `${top}/${bottom}`]))];
  });
}

const schemes = vectors.map(({ public: told }) => told).filter(({ questions }) => questions.length > 1);
console.log(JSON.stringify(Object.fromEntries(schemes.map((told) => [told.protocol, lawsOf(told)]))));
