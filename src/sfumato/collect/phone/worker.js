// Keeps the page, its scripts and the survey on the phone, so that it can be answered without a network.

const CACHE = "sfumato.phone/1";
const FILES = [
  "/phone/phone.css", "/phone/phone.js", "/phone/asked.js", "/phone/keeping.js", "/phone/laws.js", "/phone/telling.js", "/phone/words.js", "/client/survey.js",
  "/client/exact.js", "/client/chance.js", "/client/sha256.js", "/client/oracles.js", "/client/numbers.js",
  "/client/remembered.js", "/client/collection.js", "/client/wire.js",
];

self.addEventListener("install", (event) => event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

/** Only what the phone's page needs: its files, a survey and the page itself. Nothing that is sent, nothing for readers. */
const isKept = (path) => FILES.includes(path) || /^\/collections\/[^/]+(\/phone\/?)?$/.test(path);

// A page that is opened for the first time came before this worker: it names itself and its survey, and hears when both are kept.
self.addEventListener("message", (event) => event.waitUntil(keepAll(event.data.filter(isKept)).then(() => event.ports[0].postMessage("kept"))));

async function keepAll(paths) {
  const cache = await caches.open(CACHE);
  const keep = async (path) => (await cache.match(path)) ?? cache.add(new Request(path, { credentials: "omit", redirect: "error" }));
  await Promise.all(paths.map(keep));
}

self.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method === "GET" && origin === self.location.origin && isKept(pathname)) event.respondWith(fresh(event.request));
});

/** What the network has, and is kept for later; without a network what was kept. The server leads `/phone/` to `/phone`: so do we. */
async function fresh(request) {
  const cache = await caches.open(CACHE);
  const { pathname } = new URL(request.url);
  const key = pathname.replace(/\/$/, "");
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(key, answer.clone());
    return answer;
  } catch (error) {
    const found = await cache.match(key);
    if (!found) throw error;
    return key === pathname ? found : Response.redirect(key);
  }
}
