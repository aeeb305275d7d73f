import { historyFaults, type Wire } from "../histories/rules.js";
import { type Answering, type Definitions, PrefixMeter, type Repetition, type Said, type StandIn, streamed } from "./stand-in.js";

/** A request to POST /chat/completions. */
export interface ChatBody {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ChatTool[];
  readonly tool_choice?: string | { readonly type: string; readonly function?: { readonly name: string } };
  readonly parallel_tool_calls?: boolean;
  readonly stream?: boolean;
}

export interface ChatTool {
  readonly type: string;
  readonly function: { readonly name: string; readonly description?: string; readonly parameters: any; readonly strict?: boolean };
}

interface ChatMessage {
  readonly role: string;
  readonly content?: any;
  readonly [member: string]: any;
}

/** What a provider has of its own. */
export interface ChatRules {
  readonly wire: Wire;
  readonly callId: (count: number) => string;
  readonly faults: (body: ChatBody) => readonly string[];
  /** The body of an error, as the provider writes it. */
  readonly error: (message: string, type: "invalid_request_error" | "service_unavailable") => object;
  /** Thinking and text, as members of an answer that isn't streamed. */
  readonly write: (text: string, thinking: string) => object;
  /** The same, as members of the pieces of a stream. */
  readonly writePieces: (text: string, thinking: string) => readonly object[];
}

/**
 * A provider of the Chat Completions form as it is documented. Its rules say what is its own. It signs nothing: whatever has changed is
 * written anew.
 */
export class ChatProvider implements StandIn {
  readonly rejected: string[] = [];
  readonly dropped = 0;
  requests = 0;
  readonly #answer: Answering;
  readonly #rules: ChatRules;
  readonly #meter = new PrefixMeter();
  #calls = 0;

  constructor(answer: Answering, rules: ChatRules) {
    this.#answer = answer;
    this.#rules = rules;
  }

  get repetitions(): readonly Repetition[] {
    return this.#meter.repetitions;
  }

  readonly fetch: typeof fetch = async (_, init) => {
    const body = JSON.parse(String(init?.body)) as ChatBody;
    const { wire, faults: ownFaults, error } = this.#rules;
    this.requests += 1;
    const faults = [...historyFaults(wire, body), ...listFaults(body), ...choiceFaults(body), ...ownFaults(body)];
    if (faults.length > 0) {
      if (this.rejected.length < 5) this.rejected.push(faults.join("; "));
      return Response.json(error(faults.join("; "), "invalid_request_error"), { status: 400 });
    }
    const said = this.#answer(offeredIn(body));
    if (said === "overloaded") return Response.json(error("Service unavailable.", "service_unavailable"), { status: 503 });
    this.#meter.measure([body.tools ?? [], ...body.messages].map((part) => JSON.stringify(part)));
    return this.#write(said, body);
  };

  #write({ text = "", calls = [] }: Said, { model, stream }: ChatBody): Response {
    const thinking = this.requests % 3 === 0 ? "Hm." : "";
    const made = calls.map(({ name, arguments: values }, index) => ({
      index,
      id: this.#rules.callId(++this.#calls),
      type: "function",
      function: { name, arguments: JSON.stringify(values) },
    }));
    const answered = { id: `chatcmpl-${this.requests}`, created: 1_700_000_000, model };
    const finish_reason = made.length > 0 ? "tool_calls" : "stop";
    const usage = { prompt_tokens: 20, completion_tokens: 9, total_tokens: 29 };
    if (stream === true) {
      const deltas = [
        { role: "assistant", content: "" },
        ...this.#rules.writePieces(text, thinking),
        ...made.map((call) => ({ tool_calls: [call] })),
      ];
      const chunks = [
        ...deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] })),
        { choices: [{ index: 0, delta: { content: "" }, finish_reason }], usage },
      ];
      const events = chunks.map((chunk) => JSON.stringify({ ...answered, object: "chat.completion.chunk", ...chunk }));
      return streamed({ stream: [...events, "[DONE]"].map((event) => `data: ${event}\n\n`).join("") });
    }
    const message = {
      role: "assistant",
      ...this.#rules.write(text, thinking),
      ...(made.length > 0 && { tool_calls: made.map(({ index: _, ...call }) => call) }),
    };
    return Response.json({ ...answered, object: "chat.completion", choices: [{ index: 0, message, finish_reason }], usage });
  }
}

/** Each name is legal, and there once. "[] is too short - 'tools'": https://github.com/JetBrains/koog/issues/786 */
function listFaults({ tools }: ChatBody): string[] {
  if (tools === undefined) return [];
  const names = tools.map((tool) => tool.function.name);
  return [
    ...(tools.length === 0 ? ["[] is too short - 'tools'"] : []),
    ...tools.filter(({ type }) => type !== "function").map(({ type }) => `a tool of the type ${type}`),
    ...names.filter((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name)).map((name) => `Invalid name: ${name}`),
    ...names.filter((name, index) => names.indexOf(name) < index).map((name) => `the tool ${name} is there twice`),
  ];
}

/** A choice is about tools, and names one of them. */
function choiceFaults({ tools = [], tool_choice: choice, parallel_tool_calls: isParallel }: ChatBody): string[] {
  if (tools.length === 0) {
    const stray = [choice === undefined ? [] : "tool_choice", isParallel === undefined ? [] : "parallel_tool_calls"].flat();
    return stray.map((name) => `'${name}' is only allowed when 'tools' are specified.`);
  }
  if (choice === undefined || typeof choice === "string") return [];
  const named = choice.function?.name;
  return tools.some((tool) => tool.function.name === named) ? [] : [`Tool choice '${named}' not found in 'tools' parameter.`];
}

const offeredIn = ({ tools = [], tool_choice: choice }: ChatBody): Definitions =>
  new Map(choice === "none" ? [] : tools.map((tool) => [tool.function.name, tool.function]));

/** The parts of all messages that aren't texts. */
const partsIn = ({ messages }: ChatBody): readonly any[] =>
  messages.flatMap(({ role, content }) => (Array.isArray(content) ? content.map((part) => ({ ...part, role })) : []));

const imageUrl = /^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$/;

/** Users alone show pictures. `urlIn`: each provider has the address at a place of its own. */
export function pictureFaults(body: ChatBody, urlIn: (part: any) => unknown): string[] {
  return partsIn(body)
    .filter(({ type }) => type === "image_url")
    .flatMap((part) => [
      ...(part.role === "user" ? [] : [`an image of the role ${part.role}`]),
      ...(imageUrl.test(String(urlIn(part))) ? [] : [`an image at ${String(urlIn(part)).slice(0, 30)}`]),
    ]);
}

/** Instructions stand at the beginning. The library writes them anew there, so that a late one is a fault of its own. */
export const lateSystemFaults = ({ messages }: ChatBody): string[] =>
  messages
    .slice(1)
    .filter(({ role }) => role === "system" || role === "developer")
    .map(({ role }) => `a late message of the role ${role}`);

export const piecesOf = (text: string): readonly string[] => text.match(/.{1,3}/gsu) ?? [];
