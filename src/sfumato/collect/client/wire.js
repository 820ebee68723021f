// How numbers travel: each in so many bits, the lowest bit first, filled up to whole bytes.

import { secure } from "./chance.js";

/** Whole numbers, and how many bits each of them takes, as bytes. */
export function packed(numbers, widths) {
  const out = new Uint8Array(Math.ceil(widths.reduce((sum, width) => sum + width, 0) / 8));
  let at = 0;
  numbers.forEach((number, i) => {
    let left = BigInt(number);
    for (let bit = 0; bit < widths[i]; bit++, at++, left >>= 1n) out[at >> 3] |= Number(left & 1n) << (at & 7);
  });
  return out;
}

/** A whole number in as few bytes of seven bits as it needs, lowest first; the top bit says that more follow. */
export const shortest = (n) => (n < 128 ? [n] : [(n % 128) + 128, ...shortest(Math.floor(n / 128))]);

export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

export const base64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));

/** A fresh batch id. */
export const newId = () => hex(secure.getRandomValues(new Uint8Array(16)));

/** The body of a request: reports of a collection under an id that makes a retry harmless. */
export const batchOf = (collection, id, reports) =>
  JSON.stringify({ format: "sfumato.batch/1", collection, batch: id, reports: base64(reports) });
