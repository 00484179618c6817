// Questions to the server.

/** The answer to a question, or an Error with the server's reason. */
export async function ask(path, body) {
  const options = body && {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  };
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Error("The server does not answer. Is it still running?");
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.error?.message ?? `The server answered ${response.status}.`);
  return answer;
}

/**
 * Shows the answer to the newest of many questions, one question at a time: a slider asks faster than a server
 * answers, and answers on the way are worth showing. A question that was asked already is not asked again.
 */
export class Asker {
  constructor(show, complain) {
    this.show = show;
    this.complain = complain;
    this.wanted = null;
    this.shown = null;
    this.busy = false;
  }

  /** `question` is {path, body}; null has no answer, and nothing is shown. `again`: even if it was asked before. */
  async want(question, again = false) {
    this.wanted = question ? JSON.stringify(question) : null;
    if (again) this.shown = null;
    if (this.busy) return;
    this.busy = true;
    while (this.wanted !== null && this.wanted !== this.shown) {
      const now = this.wanted;
      this.shown = now;
      const { path, body } = JSON.parse(now);
      let answer = null;
      try {
        answer = await ask(path, body);
      } catch (error) {
        this.complain(error.message);
        continue;
      }
      this.complain("");
      this.show(answer, body);
    }
    this.busy = false;
  }
}
