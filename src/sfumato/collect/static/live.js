// Reads the event stream of a collection and draws its newest estimate. Texts are set as texts, never as markup.

const at = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
const WAIT = [1000, 2000, 5000, 10000];
const percent = (share) => `${(100 * share).toFixed(Math.abs(share) < 0.0995 ? 2 : 1)} %`;
let failures = 0;

at("key").addEventListener("submit", (event) => {
  event.preventDefault();
  sessionStorage.setItem(document.body.dataset.events, at("token").value);
  at("key").hidden = true;
  listen();
});

listen();

/** Open the stream; open it again when it breaks. */
async function listen() {
  const token = sessionStorage.getItem(document.body.dataset.events);
  if (token === null) return ask("This estimate is shown to readers of the collection.");
  try {
    const answer = await fetch(document.body.dataset.events, { headers: { Authorization: `Bearer ${token}` } });
    if (answer.status === 401 || answer.status === 403) return ask("The server does not know this token.");
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    at("state").textContent = "Connected.";
    await read(answer.body.pipeThrough(new TextDecoderStream()).getReader());
  } catch {
    failures += 1;
  }
  at("state").textContent = "The connection is lost; trying again.";
  setTimeout(listen, WAIT[Math.min(failures, WAIT.length - 1)]);
}

function ask(why) {
  sessionStorage.removeItem(document.body.dataset.events);
  at("state").textContent = why;
  at("key").hidden = false;
  at("token").focus();
}

/** Events are separated by an empty line; the last one that is complete is drawn. */
async function read(reader) {
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const events = (rest + value).split("\n\n");
    rest = events.pop();
    const data = events.flatMap((event) => event.split("\n").filter((line) => line.startsWith("data: "))).pop();
    if (data) draw(JSON.parse(data.slice(6)));
  }
}

function draw(found) {
  failures = 0;
  at("state").textContent = "Live: redrawn as reports arrive.";
  at("facts").replaceChildren(
    fact("reports", found.reports.toLocaleString("en")),
    ...Object.entries(found.facts).map(([name, value]) => fact(name, value)),
  );
  at("rows").hidden = found.rows.length === 0;
  at("caption").textContent = found.caption;
  at("note").textContent = found.note;
  const most = Math.max(0.01, ...found.rows.map((row) => row.high));
  at("rows").tBodies[0].replaceChildren(...found.rows.map((row) => line(row, most)));
}

function fact(name, value) {
  const [box, term, text] = ["div", "dt", "dd"].map((tag) => document.createElement(tag));
  term.textContent = name;
  text.textContent = value;
  box.append(term, text);
  return box;
}

function line(row, most) {
  const tr = document.createElement("tr");
  for (const text of [row.label, percent(row.share)]) {
    const td = document.createElement("td");
    td.textContent = text;
    tr.append(td);
  }
  const td = document.createElement("td");
  td.append(bar(row, most));
  tr.append(td);
  return tr;
}

/** The interval as a band, the estimate as a mark, 0 at the left edge. */
function bar(row, most) {
  const x = (share) => (1000 * Math.min(Math.max(share, 0), most)) / most;
  const svg = shape("svg", { viewBox: "0 0 1000 20", preserveAspectRatio: "none", role: "img" });
  svg.setAttribute("aria-label", `between ${percent(row.low)} and ${percent(row.high)}`);
  svg.append(
    shape("line", { class: "axis", x1: 0, x2: 1000, y1: 10, y2: 10 }),
    shape("rect", { class: "band", x: x(row.low), y: 4, width: Math.max(1, x(row.high) - x(row.low)), height: 12 }),
    shape("rect", { class: "mark", x: Math.max(0, x(row.share) - 2), y: 1, width: 4, height: 18 }),
  );
  return svg;
}

function shape(tag, attributes) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}
