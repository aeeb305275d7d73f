import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type ChatModel, type ChatResponse, type ModelReference, resolveModel, ScriptedModel } from "../../models/index.js";
import { redactText } from "../../redaction/index.js";
import { type RecordedExchange, type RecordedRequest, type RecordedResponse, recordedRequest, recordedResponse } from "./exchange.js";
import { readRecording, writeRecording } from "./recording-file.js";
import { Replay } from "./replay.js";
import { checkOptionNames, type OptionNames } from "../../tool/internal.js";

export interface RecordedModelOptions {
  /** Default: `record` where the environment variable `TOOLWRIGHT_RECORD` is `1`, else `replay`. */
  readonly mode?: "record" | "replay";
}

/**
 * A model whose traffic is kept in a file, for tests: recorded once with the real model, replayed ever after, without a
 * network or a key. Give it to an agent in the model's place:
 *
 * ```ts
 * @model(recordedModel("openai/gpt-5-mini", "test/recordings/weather.json"))
 * class RecordedWeatherAgent extends WeatherAgent {}
 * ```
 *
 * Running the test with `TOOLWRIGHT_RECORD=1` records the file anew, as JSON that reads and compares well, with secrets
 * redacted. A path is relative to the working directory. One file is for one test file, which may use it for several
 * models of one name and many conversations, also at the same time; failed requests are not recorded.
 *
 * A replayed request must be the recorded one: the messages, tools and settings. Order of keys and the provider's call
 * ids don't count. One that isn't makes `generate` throw a `RecordingError`, which shows the difference. A replayed
 * answer streams, in pieces of its own, where somebody listens.
 */
export function recordedModel(reference: ModelReference, path: string | URL, options: RecordedModelOptions = {}): ChatModel {
  checkOptionNames(options, { mode: true } satisfies OptionNames<RecordedModelOptions>, "recordedModel");
  const { mode = process.env.TOOLWRIGHT_RECORD === "1" ? "record" : "replay" } = options;
  const file = resolve(typeof path === "string" ? path : fileURLToPath(path));
  // Only texts load a package; they are read when the real model is needed.
  const id = redactText(typeof reference === "string" ? reference : (resolveModel(reference) as ChatModel).id);
  return { id, generate: mode === "record" ? recorder(reference, id, file) : replayer(id, file) };
}

interface OpenExchange {
  readonly request: RecordedRequest;
  response?: RecordedResponse;
}

/** The recordings made in this process, so that a second model of the same file adds to it. */
const recordings = new Map<string, OpenExchange[]>();

function recorder(reference: ModelReference, id: string, file: string): ChatModel["generate"] {
  const exchanges = recordings.get(file) ?? [];
  recordings.set(file, exchanges);
  let loaded: ChatModel | Promise<ChatModel> | undefined;
  return async (request) => {
    loaded ??= resolveModel(reference);
    const model = await loaded;
    // Requests stand in the order in which they were asked, whichever is answered first.
    const exchange: OpenExchange = { request: recordedRequest(request) };
    exchanges.push(exchange);
    // Who asks can't know yet which tools the real model refuses.
    const tools = request.tools.filter((tool) => model.refusesTool?.(tool) === undefined);
    const response = await model.generate({ ...request, tools });
    exchange.response = recordedResponse(response, request);
    writeRecording(file, { model: id, exchanges: exchanges.filter(isAnswered) });
    return response;
  };
}

const isAnswered = (exchange: OpenExchange): exchange is RecordedExchange => exchange.response !== undefined;

function replayer(id: string, file: string): ChatModel["generate"] {
  let read: Replay | undefined;
  return async (request): Promise<ChatResponse> => {
    const replay = (read ??= new Replay(file, readRecording(file), id));
    return new ScriptedModel([() => replay.answer(recordedRequest(request))], { id }).generate(request);
  };
}
