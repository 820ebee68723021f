// Keeps the page, its scripts and the survey on the phone, so that it can be answered without a network.

const CACHE = "sfumato.phone/1";
const FILES = [
  "/phone/phone.css", "/phone/phone.js", "/phone/keeping.js", "/phone/telling.js", "/phone/words.js", "/client/survey.js",
  "/client/exact.js", "/client/chance.js", "/client/sha256.js", "/client/oracles.js", "/client/numbers.js",
  "/client/remembered.js", "/client/wire.js",
];

self.addEventListener("install", (event) => event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

/** Only what the phone's page needs: its files, a survey and the page itself. Nothing that is sent, nothing for readers. */
const isKept = (path) => FILES.includes(path) || /^\/collections\/[^/]+(\/phone)?$/.test(path);

self.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method === "GET" && origin === self.location.origin && isKept(pathname)) event.respondWith(fresh(event.request));
});

/** What the network has, and is kept for later; without a network what was kept. */
async function fresh(request) {
  const cache = await caches.open(CACHE);
  const key = new URL(request.url).pathname;
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(key, answer.clone());
    return answer;
  } catch (error) {
    const found = await cache.match(key);
    if (!found) throw error;
    return found;
  }
}
