import { canonicalText, differencesOf } from "../../schema/internal.js";
import { describeDifference } from "./describe-difference.js";
import type { RecordedExchange, RecordedRequest, RecordedResponse } from "./exchange.js";
import { howToRecord, RecordingError } from "./recording-error.js";
import type { Recording } from "./recording-file.js";

/** Differences that a message shows. */
const mostShown = 5;

/** Finds the recorded answers. Requests may come in any order, and at the same time. */
export class Replay {
  readonly #path: string;
  readonly #exchanges: readonly RecordedExchange[];
  /** The answers of each request, in the order in which they were recorded. */
  readonly #answers: ReadonlyMap<string, RecordedResponse[]>;

  /** Throws `RecordingError` if another model was recorded. */
  constructor(path: string, { model, exchanges }: Recording, asked: string) {
    if (model !== asked) {
      throw new RecordingError(`${path}: it was recorded with the model "${model}", and the test uses "${asked}". ${howToRecord}`);
    }
    this.#path = path;
    this.#exchanges = exchanges;
    this.#answers = groupAnswers(exchanges);
  }

  /**
   * The answer to a request. One that was recorded several times gets its answers in turn, and the last one from then on.
   * Throws `RecordingError`, with the differences to the nearest one, for a request that was not recorded.
   */
  answer(request: RecordedRequest): RecordedResponse {
    const answers = this.#answers.get(canonicalText(request));
    const answer = answers !== undefined && answers.length > 1 ? answers.shift() : answers?.[0];
    if (answer === undefined) throw new RecordingError(this.#unknown(request));
    return answer;
  }

  #unknown(request: RecordedRequest): string {
    const [nearest] = this.#exchanges
      .map((exchange, index) => ({ number: index + 1, differences: differencesOf(exchange.request, request) }))
      .sort((left, right) => left.differences.length - right.differences.length);
    if (nearest === undefined) return `${this.#path}: it holds no exchange. ${howToRecord}`;
    const { number, differences } = nearest;
    const left = differences.length - mostShown;
    return [
      `${this.#path}: this request was not recorded. The nearest is exchange ${number} of ${this.#exchanges.length}, which differs here:`,
      ...differences.slice(0, mostShown).map((difference) => `  ${describeDifference(difference)}`),
      ...(left > 0 ? [`  and in ${left} more place(s)`] : []),
      `Did the test or the agent change? ${howToRecord}`,
      "Does it differ at each run (times, random numbers, the network)? Stub the tool that makes it so: stubTool.",
    ].join("\n");
  }
}

function groupAnswers(exchanges: readonly RecordedExchange[]): ReadonlyMap<string, RecordedResponse[]> {
  const answers = new Map<string, RecordedResponse[]>();
  for (const { request, response } of exchanges) {
    const key = canonicalText(request);
    answers.set(key, [...(answers.get(key) ?? []), response]);
  }
  return answers;
}
