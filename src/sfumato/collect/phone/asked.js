// What the page asks: a survey, or declared questions, which are answered once, all together, and have no groups.

import { answered, readCollection } from "../client/collection.js";
import { filled, readSurvey } from "../client/survey.js";

/** What a server tells of a collection, checked, as a survey that can `fill` the answers of a time into a report. */
export function readAsked(told) {
  if (told?.kind === "oracle") return declared(readCollection(told), told);
  const survey = readSurvey(told);
  return { ...survey, fill: (memory, time, answers) => filled(survey, memory, time, answers) };
}

/** The sentence on schemes that report one question of several. */
const DRAWN = { SMP: "sampled", "RS+FD": "among", "RS+RFD": "among" };

function declared(collection, told) {
  const { name, attributes } = told.device;
  const questions = told.questions.map(({ column, ...said }, i) => ({
    name: column,
    mechanism: attributes[i].mechanism,
    parameters: attributes[i].parameters,
    made: collection.device.attributes[i].made,
    said: { kind: "one-of", ...said },
    spent: { report: told.spent.attribute },
    times: [0],
    remembers: false,
    among: DRAWN[name] && { of: attributes.length, otherwise: otherwiseOf(attributes[i]) },
  }));
  return { ...told, survey: told.page, epsilon: told.spent.record, drawn: DRAWN[name], groups: [], days: [0], asks: questions.length, questions, fill: once(collection) };
}

/** What is sent of a question that is not drawn. */
function otherwiseOf({ mechanism, fakes }) {
  if (fakes === undefined) return "notSent";
  if (fakes === null) return "fakeZeros";
  return mechanism === "GRR" ? "fakeValue" : "fakeAnswer";
}

const once = (collection) => (memory, time, answers) => {
  if (memory.sent.length) throw new RangeError("These questions are answered already.");
  const { reports, body } = answered(collection, collection.questions.map((_, place) => answers[place]));
  return { reports, body, memory: { ...memory, sent: [{ time, body }] } };
};
