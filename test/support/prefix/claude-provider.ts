import { eventStream } from "../event-stream.js";
import { anthropicStream } from "../provider-streams.js";
import {
  type Answering,
  type Definitions,
  lateTextFaults,
  PlaceSigner,
  PrefixMeter,
  type Repetition,
  type StandIn,
  streamed,
} from "./stand-in.js";

/** A request to POST /messages. */
interface Body {
  readonly system?: unknown;
  readonly tools?: readonly Tool[];
  readonly messages: readonly Message[];
  readonly stream?: boolean;
  readonly tool_choice?: { readonly type: string };
  readonly thinking?: { readonly block_binding?: { readonly prefix_mismatch_behavior?: string } };
}

interface Tool {
  readonly name: string;
  readonly type?: string;
  readonly defer_loading?: boolean;
}

interface Message {
  readonly role: string;
  readonly content: string | readonly Block[];
}

interface Block {
  readonly type: string;
  readonly [member: string]: any;
}

/**
 * Claude as it is documented: each answer thinks, and its thinking is signed for the system text, the tools and the messages before it. A
 * request that sends it back after one of these changed is rejected, or loses the thinking if it allows that. Late system messages
 * stand at the places that are documented, and refer to tools that are there.
 */
export class ClaudeProvider implements StandIn {
  readonly rejected: string[] = [];
  dropped = 0;
  requests = 0;
  readonly #answer: Answering;
  readonly #meter = new PrefixMeter();
  readonly #signer = new PlaceSigner();
  #calls = 0;

  constructor(answer: Answering) {
    this.#answer = answer;
  }

  get repetitions(): readonly Repetition[] {
    return this.#meter.repetitions;
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const url = String(input);
    const text = String(init?.body);
    const body = withoutMarks(text);
    this.requests += 1;
    const faults = [...placementFaults(body), ...toolFaults(body), ...markFaults(text), ...lateTextFaults(lateTextsIn(body))];
    const parts = [
      JSON.stringify(declaredIn(body)),
      JSON.stringify(body.system ?? ""),
      ...body.messages.map((message) => JSON.stringify(message)),
    ];
    const signatures = this.#signaturesIn(body, parts);
    const broken = boundElsewhere(body, signatures);
    const mayDrop = body.thinking?.block_binding?.prefix_mismatch_behavior === "drop_block";
    if (broken !== undefined && !mayDrop)
      faults.push(`${broken}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation.`);
    if (faults.length > 0) {
      if (this.rejected.length < 5) this.rejected.push(faults.join("; "));
      return failure(url, 400, "invalid_request_error", faults.join("; "));
    }
    const said = this.#answer(offeredIn(body));
    if (said === "overloaded") return failure(url, 529, "overloaded_error", "Overloaded");
    if (broken !== undefined) this.dropped += 1;
    this.#meter.measure(parts);
    const { text: words = "", calls = [] } = said;
    const content = [
      { type: "thinking", thinking: "", signature: signatures.at(-1) },
      ...(words === "" ? [] : [{ type: "text", text: words }]),
      ...calls.map(({ name, arguments: input }) => ({ type: "tool_use", id: `toolu_${++this.#calls}`, name, input })),
    ];
    const stopReason = calls.length > 0 ? "tool_use" : "end_turn";
    if (url.endsWith("/invoke-with-response-stream")) return eventStream(chunksOf(anthropicStream(content, stopReason)));
    if (body.stream === true) return streamed(anthropicStream(content, stopReason));
    return Response.json({
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "claude-opus-5-5",
      content,
      stop_reason: stopReason,
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
    });
  };

  /** What thinking at each place is signed for. Tools that nothing has referred to yet don't count, nor does earlier thinking. */
  #signaturesIn(body: Body, [tools = "", system = "", ...messages]: readonly string[]): readonly string[] {
    const byName = (one: Tool, other: Tool): number => (one.name < other.name ? -1 : 1);
    return this.#signer.sign([tools + system, ...messages], (index) => {
      const message = body.messages[index - 1];
      if (message === undefined) return JSON.stringify([body.system, [...declaredIn(body)].sort(byName)]);
      return JSON.stringify({ ...message, content: blocksOf(message).filter(({ type }) => type !== "thinking") });
    });
  }
}

/** Bedrock writes errors and streams in its own form. */
const failure = (url: string, status: number, type: string, message: string): Response =>
  Response.json(isBedrock(url) ? { message } : { type: "error", error: { type, message } }, { status });

const isBedrock = (url: string): boolean => url.includes("/model/");

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_PayloadPart.html */
const chunksOf = ({ stream }: { readonly stream: string }): readonly (readonly [type: string, payload: object])[] =>
  [...stream.matchAll(/^data: (.*)$/gm)].map(([, event = ""]) => ["chunk", { bytes: Buffer.from(event).toString("base64"), p: "abcd" }]);

const declaredIn = ({ tools = [] }: Body): readonly Tool[] => tools.filter(({ defer_loading }) => defer_loading !== true);

/** Marks for the cache don't count. */
const withoutMarks = (text: string): Body =>
  JSON.parse(text, text.includes('"cache_control"') ? (key, value) => (key === "cache_control" ? undefined : value) : undefined);

const blocksOf = ({ content }: Message): readonly Block[] => (typeof content === "string" ? [{ type: "text", text: content }] : content);

/** The first block of thinking whose signature doesn't fit. */
function boundElsewhere({ messages }: Body, signatures: readonly string[]): string | undefined {
  for (const [index, message] of messages.entries()) {
    for (const [place, block] of blocksOf(message).entries()) {
      if (block.type === "thinking" && block.signature !== signatures[index]) return `messages.${index}.content.${place}`;
    }
  }
  return undefined;
}

function placementFaults({ messages }: Body): string[] {
  return messages.flatMap((message, index) => {
    if (message.role !== "system") return [];
    const before = messages.slice(0, index).findLast(({ role }) => role !== "system");
    const after = messages.slice(index).find(({ role }) => role !== "system");
    const faults: string[] = [];
    if (before?.role !== "user") faults.push(`messages.${index}: a system message must follow a user message`);
    if (after !== undefined && after.role !== "assistant") faults.push(`messages.${index}: a system message must stand before an answer`);
    return faults;
  });
}

const lateTextsIn = ({ messages }: Body): readonly string[] =>
  messages.filter(({ role }) => role === "system").flatMap((message) => blocksOf(message).flatMap(({ text }) => text ?? []));

/** At most four marks for the cache, and none on a change or a tool that is loaded later. */
function markFaults(text: string): string[] {
  const marks = text.split('"cache_control"').length - 1;
  if (marks === 0) return [];
  const { tools = [], messages } = JSON.parse(text) as Body;
  const unmarkable = [...tools.filter((tool) => tool.defer_loading === true), ...messages.filter(({ role }) => role === "system")];
  return [
    ...(marks > 4 ? [`a maximum of 4 blocks with cache_control may be provided, found ${marks}`] : []),
    ...unmarkable.filter((one) => JSON.stringify(one).includes('"cache_control"')).map(() => "cache_control isn't allowed there"),
  ];
}

const changesIn = (message: Message): readonly Block[] =>
  message.role === "system" ? blocksOf(message).filter(({ type }) => type === "tool_addition" || type === "tool_removal") : [];

/** What a request may define after its first message. */
const mostLateTools = 10_000;
const mostLateBytes = 4_000_000;

function toolFaults({ tools = [], messages, tool_choice: choice }: Body): string[] {
  const known = new Map(tools.map((tool) => [tool.name, tool]));
  const faults: string[] = tools.length === new Set(tools.map(({ name }) => name)).size ? [] : ["tools: a name is there twice"];
  if (choice?.type === "any" || choice?.type === "tool") faults.push(`tool_choice: ${choice.type} isn't supported by this model`);
  const defined = messages.flatMap(changesIn).flatMap(({ tool }) => tool.definition ?? []);
  if (defined.length > mostLateTools || JSON.stringify(defined).length > mostLateBytes) faults.push("available_tools_limit_exceeded");
  for (const { type, tool } of messages.flatMap(changesIn)) {
    if (tool.type === "tool_definition" && type === "tool_addition") {
      const { name, type: newType } = tool.definition;
      const before = known.get(name);
      if (before !== undefined && before.type !== newType) faults.push(`tool_name_conflict: ${name}`);
      known.set(name, tool.definition);
    } else if (!known.has(tool.name)) faults.push(`tool_reference_unresolved: ${tool.name}`);
  }
  return faults;
}

/** The tools that the model can call. */
function offeredIn(body: Body): Definitions {
  const known = new Map(body.tools?.map((tool) => [tool.name, tool]));
  const offered = new Map(declaredIn(body).map((tool) => [tool.name, tool]));
  for (const { type, tool } of body.messages.flatMap(changesIn)) {
    const { name } = tool.definition ?? tool;
    if (tool.definition !== undefined) known.set(name, tool.definition);
    const definition = known.get(name);
    if (type === "tool_removal") offered.delete(name);
    else if (definition !== undefined) offered.set(name, definition);
  }
  return offered;
}
