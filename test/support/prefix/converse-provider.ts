import { eventStream } from "../event-stream.js";
import { historyFaults } from "../histories/rules.js";
import { providerFaults } from "../provider-rules/index.js";
import { type Answering, PlaceSigner, PrefixMeter, type Repetition, type Said, type StandIn } from "./stand-in.js";

/** A request to POST /model/{id}/converse, or to its stream. */
interface Body {
  readonly system?: readonly Block[];
  readonly messages: readonly Message[];
  readonly toolConfig?: { readonly tools: readonly Tool[]; readonly toolChoice?: Readonly<Record<string, unknown>> };
}

interface Tool {
  readonly toolSpec: { readonly name: string; readonly description?: string; readonly inputSchema: { readonly json: any } };
}

interface Message {
  readonly role: string;
  readonly content: readonly Block[];
}

interface Block {
  readonly [kind: string]: any;
}

/** Thinking that was given out. */
interface Thought {
  /** What it is signed for. */
  readonly signature: string;
  /** The number of the thought before it; 0 if there was none. */
  readonly follows: number;
}

/**
 * The newest Claude models behind Bedrock's Converse as they are documented. Each answer thinks, and its thinking is signed for the system
 * text, the tools and the messages before it, and follows the thought before it. A request that sends it back after one of these changed
 * is rejected: there is no option to drop it, no late system message, and no change of tools in its place.
 */
export class ConverseProvider implements StandIn {
  readonly rejected: string[] = [];
  /** Requests that lack thinking of the request before, or of its answer. */
  dropped = 0;
  requests = 0;
  readonly #answer: Answering;
  readonly #meter = new PrefixMeter();
  readonly #signer = new PlaceSigner();
  /** By its number, from 1 on. */
  readonly #thoughts: Thought[] = [];
  /** The thoughts that the next request has, if it loses none. */
  #expected: readonly number[] = [];
  #calls = 0;

  constructor(answer: Answering) {
    this.#answer = answer;
  }

  get repetitions(): readonly Repetition[] {
    return this.#meter.repetitions;
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const body = JSON.parse(String(init?.body)) as Body;
    this.requests += 1;
    const parts = [body.toolConfig?.tools ?? [], body.system ?? [], ...body.messages].map((part) => JSON.stringify(part));
    const signatures = this.#signaturesIn(body, parts);
    const faults = [
      ...memberFaults(body),
      ...historyFaults("amazon-bedrock", body),
      ...toolFaults(body),
      ...blockFaults(body),
      ...this.#thoughtFaults(body, signatures),
    ];
    if (faults.length > 0) {
      if (this.rejected.length < 5) this.rejected.push(faults.join("; "));
      return failure(400, "ValidationException", faults.join("; "));
    }
    const said = this.#answer(new Map(body.toolConfig?.tools.map(({ toolSpec }) => [toolSpec.name, toolSpec])), true);
    if (said === "overloaded") return failure(503, "ServiceUnavailableException", "Bedrock is unable to process your request.");
    this.#meter.measure(parts);
    const sent = thoughtsIn(body).map(({ number }) => number);
    if (this.#expected.some((number) => !sent.includes(number))) this.dropped += 1;
    this.#thoughts.push({ signature: signatures.at(-1) ?? "", follows: sent.at(-1) ?? 0 });
    this.#expected = [...sent, this.#thoughts.length];
    const content = this.#write(said);
    const stopReason = content.some(({ toolUse }) => toolUse !== undefined) ? "tool_use" : "end_turn";
    const usage = { inputTokens: 20, outputTokens: 9, totalTokens: 29, cacheReadInputTokens: 5, cacheWriteInputTokens: 3 };
    if (String(input).endsWith("/converse-stream")) return eventStream(eventsOf(content, stopReason, usage));
    return Response.json({ output: { message: { role: "assistant", content } }, stopReason, usage, metrics: { latencyMs: 1 } });
  };

  /** By default, the text of thinking is left out. */
  #write({ text = "", calls = [] }: Said): readonly Block[] {
    const number = this.#thoughts.length;
    return [
      { reasoningContent: { reasoningText: { text: number % 3 === 0 ? "Hm." : "", signature: `thought ${number}` } } },
      ...(text === "" ? [] : [{ text }]),
      ...calls.map(({ name, arguments: input }) => ({ toolUse: { toolUseId: `tooluse_${++this.#calls}`, name, input } })),
    ];
  }

  /** What thinking at each place is signed for. Earlier thinking doesn't count. */
  #signaturesIn({ system, messages, toolConfig }: Body, [tools = "", texts = "", ...others]: readonly string[]): readonly string[] {
    const byName = (one: Tool, other: Tool): number => (one.toolSpec.name < other.toolSpec.name ? -1 : 1);
    return this.#signer.sign([tools + texts, ...others], (index) => {
      const message = messages[index - 1];
      if (message === undefined) return JSON.stringify([system, [...(toolConfig?.tools ?? [])].sort(byName)]);
      return JSON.stringify({ ...message, content: message.content.filter(({ reasoningContent }) => reasoningContent === undefined) });
    });
  }

  /** Thoughts come back where they stood, without a gap between them. */
  #thoughtFaults(body: Body, signatures: readonly string[]): string[] {
    let before: number | undefined;
    for (const { number, place, path } of thoughtsIn(body)) {
      const thought = this.#thoughts[number - 1];
      if (thought === undefined) return [`${path}: Invalid \`signature\` in \`thinking\` block`];
      if (thought.signature !== signatures[place] || (before !== undefined && thought.follows !== before))
        return [`${path}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation.`];
      before = number;
    }
    return [];
  }
}

const failure = (status: number, type: string, message: string): Response =>
  Response.json({ message }, { status, headers: { "x-amzn-errortype": `${type}:http://internal.amazon.com/coral/com.amazon.bedrock/` } });

interface PlacedThought {
  readonly number: number;
  /** The place of its message. */
  readonly place: number;
  readonly path: string;
}

const thoughtsIn = ({ messages }: Body): readonly PlacedThought[] =>
  messages.flatMap(({ content }, place) =>
    content.flatMap(({ reasoningContent }, index) => {
      if (reasoningContent === undefined) return [];
      const [, number = "0"] = /^thought (\d+)$/.exec(reasoningContent.reasoningText?.signature) ?? [];
      return [{ number: Number(number), place, path: `messages.${place}.content.${index}` }];
    }),
  );

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html */
const members: ReadonlySet<string> = new Set([
  ...["messages", "system", "toolConfig", "inferenceConfig", "additionalModelRequestFields", "additionalModelResponseFieldPaths"],
  ...["guardrailConfig", "outputConfig", "performanceConfig", "promptVariables", "requestMetadata", "serviceTier"],
]);

const memberFaults = (body: Body): string[] =>
  Object.keys(body)
    .filter((name) => !members.has(name))
    .map((name) => `${name}: Extra inputs are not permitted`);

/** These models don't take a forced choice. */
function toolFaults({ toolConfig }: Body): string[] {
  if (toolConfig === undefined) return [];
  const { tools, toolChoice = { auto: {} } } = toolConfig;
  return [
    ...(tools.length === 0 ? ["toolConfig.tools: has 0 items, fewer than 1"] : []),
    ...providerFaults<"bedrock">(tools as any, "bedrock"),
    ...(Object.keys(toolChoice).join() === "auto" ? [] : [`tool_choice: ${Object.keys(toolChoice)} isn't supported by this model`]),
  ];
}

const base64 = /^[A-Za-z0-9+/]+=*$/;

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Message.html, and its ContentBlock, ImageBlock and DocumentBlock. */
function blockFaults({ messages }: Body): string[] {
  return messages.flatMap(({ role, content }, index) => {
    const all = content.flatMap((block) => [block, ...(block.toolResult?.content ?? [])]);
    const images = all.flatMap(({ image }) => image ?? []);
    const documents = all.flatMap(({ document }) => document ?? []);
    const faults: string[] = [];
    if (role !== "user" && role !== "assistant") faults.push(`the role ${role}`);
    if (role === "assistant" && images.length + documents.length > 0) faults.push("files of the assistant");
    if (images.length > 20) faults.push(`${images.length} images, of at most 20`);
    if (documents.length > 5) faults.push(`${documents.length} documents, of at most 5`);
    for (const { format, source } of images)
      if (!/^(png|jpeg|gif|webp)$/.test(format) || !base64.test(source.bytes)) faults.push(`an image of the format ${format}`);
    for (const { name } of documents) if (!/^[\w\s()[\]-]{1,200}$/.test(name)) faults.push(`a document with the name ${name}`);
    return faults.map((fault) => `messages.${index}: ${fault}`);
  });
}

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStreamOutput.html */
function eventsOf(content: readonly Block[], stopReason: string, usage: object): readonly (readonly [string, object])[] {
  // Amazon adds letters to each event, so that its length says nothing about it.
  const padding = { p: "abcdefg" };
  const blocks = content.flatMap(({ text, toolUse, reasoningContent }, contentBlockIndex): (readonly [string, object])[] => {
    const { text: thought = "", signature = "" } = reasoningContent?.reasoningText ?? {};
    const deltas = [
      ...piecesOf(text).map((piece) => ({ text: piece })),
      ...piecesOf(thought).map((piece) => ({ reasoningContent: { text: piece } })),
      ...(signature === "" ? [] : [{ reasoningContent: { signature } }]),
      ...(toolUse === undefined ? [] : piecesOf(JSON.stringify(toolUse.input)).map((input) => ({ toolUse: { input } }))),
    ];
    const { toolUseId, name } = toolUse ?? {};
    return [
      ...(toolUse === undefined ? [] : [["contentBlockStart", { contentBlockIndex, start: { toolUse: { toolUseId, name } } }] as const]),
      ...deltas.map((delta) => ["contentBlockDelta", { contentBlockIndex, delta }] as const),
      ["contentBlockStop", { contentBlockIndex }],
    ];
  });
  const events: (readonly [string, object])[] = [
    ["messageStart", { role: "assistant" }],
    ...blocks,
    ["messageStop", { stopReason }],
    ["metadata", { usage, metrics: { latencyMs: 1 } }],
  ];
  return events.map(([type, payload]) => [type, { ...payload, ...padding }]);
}

const piecesOf = (text = ""): readonly string[] => text.match(/.{1,3}/gsu) ?? [];
