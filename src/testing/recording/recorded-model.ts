import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type ChatModel,
  type ChatResponse,
  isAiSdkLanguageModel,
  type ModelReference,
  resolveModel,
  ScriptedModel,
} from "../../models/index.js";
import { referenceTo } from "../../models/internal.js";
import { redactText } from "../../redaction/index.js";
import { type RecordedExchange, type RecordedRequest, type RecordedResponse, recordedRequest, recordedResponse } from "./exchange.js";
import { readRecording, writeRecording } from "./recording-file.js";
import { Replay } from "./replay.js";
import { checkOptionNames, type OptionNames } from "../../tool/internal.js";

/** Options of `recordedModel`. */
export interface RecordedModelOptions {
  /** Default: `record` if the environment variable `TOOLWRIGHT_RECORD` is `1`, else `replay`. */
  readonly mode?: "record" | "replay";
}

/**
 * Records the traffic of a real model in a file, and replays it in tests without network and key.
 *
 * `@model(recordedModel("openai/gpt-5-mini", "test/recordings/weather.json")) class RecordedWeatherAgent extends WeatherAgent {}`
 *
 * Run the test with `TOOLWRIGHT_RECORD=1` to record the file again, as readable JSON, redacted. The path is relative to the working
 * directory. Use one file per test file; it can contain several models and conversations. Failed requests aren't recorded.
 *
 * A replayed request must equal a recorded one: messages, tools and options, but not the order of keys or the provider's call ids.
 * Otherwise `generate` throws a `RecordingError` that shows the difference. See docs/06-testing.md.
 */
export function recordedModel(reference: ModelReference, path: string | URL, options: RecordedModelOptions = {}): ChatModel {
  checkOptionNames(options, { mode: true } satisfies OptionNames<RecordedModelOptions>, "recordedModel");
  const { mode = process.env.TOOLWRIGHT_RECORD === "1" ? "record" : "replay" } = options;
  const file = resolve(typeof path === "string" ? path : fileURLToPath(path));
  // Only texts load a package; they are read when the real model is needed.
  const id = redactText(
    typeof reference === "string" ? reference : isAiSdkLanguageModel(reference) ? referenceTo(reference) : reference.id,
  );
  return { id, runsProviderTool: () => true, generate: mode === "record" ? recorder(reference, id, file) : replayer(id, file) };
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
