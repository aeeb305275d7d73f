import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { canonicalText } from "../../schema/internal.js";
import type { Message, ModelTool } from "../../models/index.js";
import type { RecordedExchange, RecordedRequest, RecordedResponse } from "./exchange.js";
import { howToRecord, RecordingError } from "./recording-error.js";

/** Written for people who read it and its changes: each tool and each message once. */
interface RecordingFile {
  readonly version: 1;
  readonly model: string;
  readonly tools: readonly ModelTool[];
  readonly exchanges: readonly { readonly request: FiledRequest; readonly response: RecordedResponse }[];
}

interface FiledRequest {
  /** The number, from 1, of the exchange whose messages come first. */
  readonly continues?: number;
  readonly messages: readonly Message[];
  /** Names of the tools above; whole, if it is another tool of that name. */
  readonly tools: readonly (string | ModelTool)[];
  readonly [setting: string]: unknown;
}

export interface Recording {
  readonly model: string;
  readonly exchanges: readonly RecordedExchange[];
}

/** Replaces the file, and creates missing folders. */
export function writeRecording(path: string, { model, exchanges }: Recording): void {
  const tools: ModelTool[] = [];
  const filed = exchanges.map(({ request, response }, index) => ({
    request: fileRequest(request, exchanges.slice(0, index), tools),
    response,
  }));
  const file: RecordingFile = { version: 1, model, tools, exchanges: filed };
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(file, null, 2)}\n`);
}

/** Adds to `tools` those that no earlier exchange offered. */
function fileRequest(request: RecordedRequest, earlier: readonly RecordedExchange[], tools: ModelTool[]): FiledRequest {
  const { messages, tools: offered, ...settings } = request;
  const continued = continuedBy(messages, earlier);
  const names = offered.map((tool) => {
    const known = tools.find(({ name }) => name === tool.name);
    if (known === undefined) tools.push(tool);
    return known === undefined || isSame(known, tool) ? tool.name : tool;
  });
  return {
    ...(continued !== undefined && { continues: continued + 1 }),
    messages: continued === undefined ? messages : messages.slice(earlier[continued]?.request.messages.length),
    tools: names,
    ...settings,
  };
}

/** Throws `RecordingError` if there is no such file, or it holds no recording. */
export function readRecording(path: string): Recording {
  const { model, tools, exchanges } = parseFile(path);
  const whole: RecordedExchange[] = [];
  for (const { request, response } of exchanges) {
    const { continues, messages, tools: offered, ...settings } = request;
    const earlier = continues === undefined ? [] : whole[continues - 1]?.request.messages;
    if (earlier === undefined) {
      throw new RecordingError(
        `${path}: exchange ${whole.length + 1} continues exchange ${continues}, which isn't before it. ${howToRecord}`,
      );
    }
    const named = offered.map((tool) => (typeof tool === "string" ? tools.find(({ name }) => name === tool) : tool));
    const missing = named.indexOf(undefined);
    if (missing !== -1) {
      throw new RecordingError(
        `${path}: exchange ${whole.length + 1} offers "${String(offered[missing])}", which isn't among its tools. ${howToRecord}`,
      );
    }
    // Every tool was found.
    const full: RecordedRequest = { messages: [...earlier, ...messages], tools: named as ModelTool[], ...settings };
    whole.push({ request: full, response });
  }
  return { model, exchanges: whole };
}

function parseFile(path: string): RecordingFile {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    throw new RecordingError(`${path}: this recording doesn't exist. ${howToRecord}`, { cause });
  }
  let file: Partial<RecordingFile> | null;
  try {
    file = JSON.parse(text) as Partial<RecordingFile> | null;
  } catch (cause) {
    throw new RecordingError(`${path}: this isn't JSON: ${(cause as Error).message}. ${howToRecord}`, { cause });
  }
  if (file?.version !== 1 || !Array.isArray(file.exchanges) || !Array.isArray(file.tools)) {
    throw new RecordingError(`${path}: this isn't a recording of version 1. ${howToRecord}`);
  }
  // Made by `writeRecording`: what people change by hand is compared with what is asked.
  return file as RecordingFile;
}

/** The longest exchange whose messages are all at the start of these messages. */
function continuedBy(messages: readonly Message[], earlier: readonly RecordedExchange[]): number | undefined {
  let best: number | undefined;
  let most = 0;
  for (let index = earlier.length - 1; index >= 0; index -= 1) {
    const { messages: known = [] } = earlier[index]?.request ?? {};
    if (known.length <= most || known.length > messages.length) continue;
    if (!known.every((message, place) => isSame(message, messages[place]))) continue;
    best = index;
    most = known.length;
  }
  return best;
}

const isSame = (left: unknown, right: unknown): boolean => canonicalText(left) === canonicalText(right);
