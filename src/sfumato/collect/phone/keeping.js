// What a phone keeps, and when it sends. One tab at a time changes what is kept: two tabs cannot answer one question twice.

const name = (digest) => `sfumato.survey/${digest}`;

/** What is kept of a survey; null: nothing. */
export const kept = (digest) => JSON.parse(localStorage.getItem(name(digest)));

/** Keep it. Where the browser keeps nothing this throws, and nothing leaves the phone. */
export const keep = (digest, memory) => localStorage.setItem(name(digest), JSON.stringify(memory));

export const forget = (digest) => localStorage.removeItem(name(digest));

/** How many reports wait for a network. */
export const waiting = (digest) => (kept(digest)?.sent ?? []).filter((one) => one.body !== null).length;

/** Runs `change` while no other tab changes what is kept of the survey. */
export const alone = (digest, change) => navigator.locks.request(name(digest), change);

/**
 * Sends every report that waits, each as it was made: its id makes a retry harmless. What the server has is then forgotten.
 *
 * Returns how many wait still, and why the server refused one, if it did. A report that can never be taken waits no more.
 */
export const sendAll = (digest, address, token) =>
  alone(digest, async () => {
    let refusal = null;
    for (const [i, one] of (kept(digest)?.sent ?? []).entries()) {
      if (one.body === null) continue;
      const answer = await post(address, token, one.body);
      if (answer === null || isLater(answer.status)) break;
      if (!answer.ok) refusal = (await answer.json().catch(() => ({}))).problem ?? String(answer.status);
      const memory = kept(digest);
      memory.sent[i] = { time: one.time, body: null };
      keep(digest, memory);
    }
    return { waiting: waiting(digest), refusal };
  });

/** Too many, too slow, away: the same report is sent later. */
const isLater = (status) => status === 401 || status === 404 || status === 408 || status === 429 || status >= 500;

async function post(address, token, body) {
  const headers = { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) };
  try {
    return await fetch(address, { method: "POST", body, headers, credentials: "omit", referrerPolicy: "no-referrer" });
  } catch {
    return null;
  }
}
