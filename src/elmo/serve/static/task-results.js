// How the result of each task looks. The server describes the results; see POST /v1/tasks/{name} in its documentation.

import { answerResult } from "./result-answers.js";
import { entailmentResult, sentimentResult } from "./result-classes.js";
import { coreferenceResult } from "./result-coreference.js";
import { entityResult } from "./result-entities.js";
import { roleResult } from "./result-roles.js";

const RESULTS = {
  ner: entityResult,
  srl: roleResult,
  coref: coreferenceResult,
  squad: answerResult,
  snli: entailmentResult,
  sst: sentimentResult,
};

/** Returns a result of a model, which `card` describes, as elements, and a summary of it for screen readers. */
export const resultOf = (task, result, card) => RESULTS[task](result, card);
