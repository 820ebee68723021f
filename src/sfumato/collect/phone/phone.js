// The page on which a phone answers a survey: consent, questions, what leaves the phone, and the sending of it.

import { due, enrolled, questionsAt } from "../client/survey.js";
import { readAsked } from "./asked.js";
import { alone, forget, keep, kept, sendAll, waiting } from "./keeping.js";
import { labelsOf, reportOf, told, toldOfAll } from "./telling.js";
import { say as sayIn } from "./words.js";

const DAY = 86_400_000;
const here = location.pathname.replace(/\/phone$/, "");
const main = document.querySelector("main");
const state = document.querySelector("#state");

let survey, language, token;
let isKept = false;

const say = (key, values) => sayIn(language, key, values);
const text = (table) => table?.[language] ?? "";
const today = () => Math.floor((Date.now() - new Date().getTimezoneOffset() * 60_000) / DAY);

/** An element with attributes and children; texts are texts, never HTML. */
function make(tag, attributes = {}, ...children) {
  const out = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) out.addEventListener(name.slice(2), value);
    else if (value !== false) out.setAttribute(name, value === true ? "" : value);
  }
  out.append(...children);
  return out;
}

/** Show a new part of the page, and tell whoever cannot see that it changed. */
function show(message, ...parts) {
  state.textContent = message;
  main.replaceChildren(...parts);
  (main.querySelector("h2") ?? main).focus();
}

const heading = (words) => make("h2", { tabindex: "-1" }, words);
const button = (words, act, quiet) => make("button", { type: "button", onclick: act, class: quiet ? "quiet" : "main" }, words);

/** The token of the survey stands behind # in the address, which is sent to nobody; it is taken from there and kept here. */
function tokenHere() {
  const name = `sfumato.token/${here}`;
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    localStorage.setItem(name, given);
    history.replaceState(null, "", location.pathname);
  }
  return localStorage.getItem(name) ?? "";
}

async function begin() {
  const answer = await fetch(here, { credentials: "omit" }).catch(() => null);
  language = navigator.language.startsWith("fr") ? "fr" : "en";
  if (!isSecureContext || !navigator.locks) return show(say("alone"));
  if (!answer?.ok) return show(say("open"));
  survey = readAsked(await answer.json());
  const { languages } = survey.survey;
  language = languages.includes(language) ? language : languages[0];
  token = tokenHere();
  keepPage().catch(() => null); // it is then answered with a network only
  addEventListener("online", sendWaiting);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && sendWaiting());
  spoken();
  if (kept(survey.digest)) return sendWaiting() || next();
  return survey.open === false ? show(say("ended")) : consent();
}

/** Has the worker keep the page and the survey, which may have come before it, and says so when both are there. */
async function keepPage() {
  await navigator.serviceWorker.register("/phone-worker.js", { scope: "/" });
  const { active } = await navigator.serviceWorker.ready;
  const heard = new MessageChannel();
  heard.port1.onmessage = () => {
    isKept = true;
    spoken();
  };
  active.postMessage([location.pathname, here], [heard.port2]);
}

/** Title and choice of language. */
function spoken() {
  document.documentElement.lang = language;
  document.title = text(survey.survey.title) || survey.survey.name;
  document.querySelector("h1").textContent = document.title;
  document.querySelector("#kept").textContent = isKept ? say("offline") : "";
  const choices = survey.survey.languages.map((one) =>
    make("button", { type: "button", lang: one, "aria-pressed": String(one === language), onclick: () => speak(one) }, { en: "English", fr: "Français" }[one]),
  );
  document.querySelector("#languages").replaceChildren(...(choices.length > 1 ? choices : []));
}

function speak(one) {
  language = one;
  spoken();
  return kept(survey.digest) ? next() : consent();
}

function consent() {
  show("", heading(say("consent")), make("p", { class: "consent" }, text(survey.survey.consent)),
    ...toldOfAll(survey, language).map((line) => make("p", {}, line)), button(say("agree"), enroll));
}

/** Group and questions are drawn once, by whichever tab comes first. */
async function enroll() {
  await alone(survey.digest, () => {
    if (!kept(survey.digest)) keep(survey.digest, enrolled(survey, today()));
  });
  next();
}

/** The questions that are due, or when there are some. */
function next() {
  if (survey.open === false) return show("", heading(say("ended")), ...forgetting());
  const memory = kept(survey.digest);
  const time = due(survey, memory, today());
  if (time !== null) return questions(memory, time);
  const later = survey.days.map((day, place) => [memory.began + day, place]).find(([day, place]) => day > today() && questionsAt(survey, memory, place).length);
  const on = later && new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(new Date(later[0] * DAY));
  return show("", heading(say(memory.sent.length ? "sent" : "none")), ...(on ? [make("p", {}, say("next", { day: on }))] : []), ...forgetting());
}

const forgetting = () => [
  make("details", {}, make("summary", {}, say("forget")), make("p", {}, say("forgetful")),
    button(say("forget"), () => { forget(survey.digest); consent(); }, true)),
];

function questions(memory, time) {
  const places = questionsAt(survey, memory, time);
  const arm = survey.survey.experiment?.arm[memory.group];
  const form = make("form", { novalidate: true, onsubmit: (event) => randomize(event, time, places) },
    ...(text(arm?.text) ? [make("p", { class: "consent" }, text(arm.text))] : []),
    ...places.map(asked), make("p", { id: "fault", role: "alert" }), make("button", { class: "main" }, say("randomize")));
  show("", heading(say("again")), form);
}

/** One question, and what is said of it. */
function asked(place) {
  const question = survey.questions[place];
  const { said } = question;
  const hint = said.kind === "some-of" ? [make("p", { class: "hint" }, say("choose", { most: said.most }))] : [];
  const explained = make("details", {}, make("summary", {}, say("left")), ...told(question, language).map((line) => make("p", {}, line)));
  return make("fieldset", {}, make("legend", {}, text(said.text)), ...hint, ...inputs(question, place), explained);
}

function inputs(question, place) {
  const { said } = question;
  const name = `q${place}`;
  if (said.kind === "number") {
    const unit = text(said.unit);
    return [make("label", { class: "number" }, make("input", { name, type: "number", step: "any", inputmode: "decimal", min: said.bounds[0], max: said.bounds[1], "aria-label": text(said.text) }), unit)];
  }
  const type = said.kind === "some-of" ? "checkbox" : "radio";
  return labelsOf(question, language).map((label, code) => make("label", { class: "choice" }, make("input", { name, type, value: code }), label));
}

/** The answer of a form to a question; null: there is none. */
function answerIn(data, place) {
  const { said } = survey.questions[place];
  const given = data.getAll(`q${place}`).filter((one) => one !== "").map(Number);
  if (said.kind === "some-of") return given.length <= said.most ? given : null;
  if (!given.length || !Number.isFinite(given[0])) return null;
  return said.kind === "scale" ? said.bounds[0] + given[0] : given[0];
}

/** Answers become reports, and are kept as such before anything else happens: they are drawn once. */
async function randomize(event, time, places) {
  event.preventDefault();
  const data = new FormData(event.target);
  const answers = Object.fromEntries(places.map((place) => [place, answerIn(data, place)]));
  const missing = places.find((place) => answers[place] === null);
  if (missing !== undefined) {
    document.querySelector("#fault").textContent = say("unanswered", { question: text(survey.questions[missing].said.text) });
    return event.target.querySelector(`[name=q${missing}]`).focus();
  }
  const done = await alone(survey.digest, () => {
    const memory = kept(survey.digest);
    if (due(survey, memory, today()) !== time) return null;
    const made = survey.fill(memory, time, answers);
    keep(survey.digest, made.memory);
    return made;
  });
  return done ? review(places, done) : (next(), (state.textContent = say("answered")));
}

function review(places, { reports, body }) {
  const rows = places.map((place) =>
    make("li", {}, make("span", {}, text(survey.questions[place].said.text)), make("strong", {}, reportOf(survey.questions[place], reports[place], language))));
  show("", heading(say("left")), make("p", {}, say("review")), make("ul", { class: "reports" }, ...rows),
    make("details", {}, make("summary", {}, say("bytes")), make("pre", { tabindex: "0" }, body)), button(say("send"), send));
}

/** Sends what waits, if something does. */
const sendWaiting = () => waiting(survey.digest) && send();

/** Sends what waits, and says what became of it. */
async function send() {
  const told = await sendAll(survey.digest, `${here}/batches`, token);
  if (told.refusal) show("", heading(say("refused", { why: told.refusal })));
  else if (told.waiting) show("", heading(say("failed")), make("p", {}, say("waiting", { n: told.waiting })), button(say("send"), send));
  else next();
}

begin();
