import { createHash } from "node:crypto";

/** A request to POST /messages. */
interface Body {
  readonly system?: unknown;
  readonly tools?: readonly Tool[];
  readonly messages: readonly Message[];
  readonly thinking?: { readonly block_binding?: { readonly prefix_mismatch_behavior?: string } };
}

interface Tool {
  readonly name: string;
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

/** What the model says: a text, or calls of tools by their names. */
export interface Said {
  readonly text?: string;
  readonly calls?: readonly string[];
}

/**
 * Claude as it is documented: each answer thinks, and its thinking is signed for the system text, the tools and the messages before it. A
 * request that sends it back after one of these changed is rejected, or loses the thinking if it allows that. Late system messages
 * stand at the places that are documented, and refer to tools that are there.
 */
export class ClaudeProvider {
  readonly rejected: string[] = [];
  /** Blocks of thinking that a request lost. */
  dropped = 0;
  requests = 0;
  /** The tools that the model could call in the latest request. */
  offered: ReadonlySet<string> = new Set();
  /** The bytes of each request, and how many of them its beginning shares with the request before. */
  readonly shares: { readonly bytes: number; readonly shared: number }[] = [];
  readonly #answer: (offered: ReadonlySet<string>) => Said;
  #latest = "";
  #calls = 0;

  constructor(answer: (offered: ReadonlySet<string>) => Said) {
    this.#answer = answer;
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const body = withoutMarks((await request.json()) as Body);
    this.requests += 1;
    const faults = [...placementFaults(body), ...toolFaults(body)];
    const signatures = signaturesIn(body);
    const broken = boundElsewhere(body, signatures);
    const mayDrop = body.thinking?.block_binding?.prefix_mismatch_behavior === "drop_block";
    if (broken !== undefined && !mayDrop)
      faults.push(`${broken}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation.`);
    if (faults.length > 0) {
      this.rejected.push(faults.join("; "));
      return Response.json({ type: "error", error: { type: "invalid_request_error", message: faults.join("; ") } }, { status: 400 });
    }
    if (broken !== undefined) this.dropped += 1;
    this.#measure(body);
    this.offered = offeredAt(body, body.messages.length);
    const { text = "", calls = [] } = this.#answer(this.offered);
    const content = [
      { type: "thinking", thinking: "", signature: signatures.at(-1) },
      ...(text === "" ? [] : [{ type: "text", text }]),
      ...calls.map((name) => ({ type: "tool_use", id: `toolu_${++this.#calls}`, name, input: {} })),
    ];
    return Response.json({
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "claude-opus-5-5",
      content,
      stop_reason: calls.length > 0 ? "tool_use" : "end_turn",
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
    });
  };

  #measure({ tools = [], system = [], messages }: Body): void {
    const text =
      JSON.stringify(tools.filter(({ defer_loading }) => defer_loading !== true)) +
      JSON.stringify(system) +
      JSON.stringify(messages).slice(0, -1);
    let shared = text.startsWith(this.#latest) ? this.#latest.length : 0;
    while (shared < this.#latest.length && this.#latest[shared] === text[shared]) shared += 1;
    if (this.#latest !== "") this.shares.push({ bytes: this.#latest.length, shared });
    this.#latest = text;
  }
}

/** Marks for the cache don't count. */
const withoutMarks = (body: Body): Body => JSON.parse(JSON.stringify(body, (key, value) => (key === "cache_control" ? undefined : value)));

const blocksOf = ({ content }: Message): readonly Block[] => (typeof content === "string" ? [{ type: "text", text: content }] : content);

/** What thinking at each place is signed for. Tools that nothing has referred to yet don't count, nor does earlier thinking. */
function signaturesIn({ system, tools = [], messages }: Body): readonly string[] {
  const declared = tools.filter(({ defer_loading }) => defer_loading !== true).sort((one, other) => (one.name < other.name ? -1 : 1));
  const signatures = [hashOf(JSON.stringify([system, declared]))];
  for (const message of messages) {
    const content = blocksOf(message).filter(({ type }) => type !== "thinking");
    signatures.push(hashOf(signatures.at(-1) + JSON.stringify({ ...message, content })));
  }
  return signatures;
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("base64");

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

const changesIn = (message: Message): readonly Block[] =>
  message.role === "system" ? blocksOf(message).filter(({ type }) => type === "tool_addition" || type === "tool_removal") : [];

function toolFaults({ tools = [], messages }: Body): string[] {
  const known = new Map<string, unknown>(tools.map((tool) => [tool.name, tool]));
  const faults: string[] = tools.length === new Set(tools.map(({ name }) => name)).size ? [] : ["tools: a name is there twice"];
  for (const { type, tool } of messages.flatMap(changesIn)) {
    if (tool.type === "tool_definition" && type === "tool_addition") known.set(tool.definition.name, tool.definition);
    else if (!known.has(tool.name)) faults.push(`tool_reference_unresolved: ${tool.name}`);
  }
  return faults;
}

function offeredAt({ tools = [], messages }: Body, length: number): ReadonlySet<string> {
  const offered = new Set(tools.filter(({ defer_loading }) => defer_loading !== true).map(({ name }) => name));
  for (const { type, tool } of messages.slice(0, length).flatMap(changesIn)) {
    const name = tool.type === "tool_definition" ? tool.definition.name : tool.name;
    if (type === "tool_addition") offered.add(name);
    else offered.delete(name);
  }
  return offered;
}
