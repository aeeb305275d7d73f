import { historyFaults } from "../histories/rules.js";
import { openAiFaults } from "../provider-rules/openai.js";
import { openAiResponseStream } from "../provider-streams.js";
import {
  type Answering,
  type Definitions,
  hashOf,
  lateTextFaults,
  PlaceSigner,
  PrefixMeter,
  type Repetition,
  type Said,
  type SaidCall,
  type StandIn,
  streamed,
} from "./stand-in.js";

/** A request to POST /responses. */
interface Body {
  readonly input: readonly Item[];
  readonly tools?: readonly FunctionTool[];
  readonly tool_choice?: string | { readonly type: string; readonly name?: string; readonly tools?: readonly FunctionTool[] };
  readonly store?: boolean;
  readonly stream?: boolean;
  readonly include?: readonly string[];
}

interface FunctionTool {
  readonly type: string;
  readonly name: string;
  readonly description?: string;
  readonly parameters: any;
  readonly strict: boolean;
}

interface Item {
  readonly type?: string;
  readonly role?: string;
  readonly id?: string;
  readonly call_id?: string;
  readonly encrypted_content?: string;
  readonly [member: string]: any;
}

/** An item of reasoning, as it was given out. */
interface Reasoning {
  readonly item: Item;
  /** What it is signed for. */
  readonly signature: string;
  /** The item that it belongs to, and that must follow it. */
  readonly followedBy: Item | undefined;
}

/**
 * OpenAI's Responses API as it is documented. An item of reasoning comes back unaltered, or by reference to a stored one, before the item
 * that it belongs to. It is signed for the history before it; the API drops one whose history has changed, and answers all the same.
 */
export class OpenAiProvider implements StandIn {
  readonly rejected: string[] = [];
  dropped = 0;
  requests = 0;
  readonly #answer: Answering;
  readonly #meter = new PrefixMeter();
  readonly #signer = new PlaceSigner();
  readonly #stored = new Map<string, Item>();
  /** By the id of the item. */
  readonly #reasoning = new Map<string, Reasoning>();
  /** The reasoning that an item belongs to, by the item's own id or that of its call. */
  readonly #belongsTo = new Map<string, string>();
  #count = 0;

  constructor(answer: Answering) {
    this.#answer = answer;
  }

  get repetitions(): readonly Repetition[] {
    return this.#meter.repetitions;
  }

  readonly fetch: typeof fetch = async (_, init) => {
    const body = JSON.parse(String(init?.body)) as Body;
    this.requests += 1;
    const items = body.input.map((item) => (item.type === "item_reference" ? (this.#stored.get(item.id ?? "") ?? item) : item));
    const faults = [
      ...items.filter(({ type }) => type === "item_reference").map(({ id }) => `Item with id '${id}' not found.`),
      ...historyFaults("openai-responses", { input: items }),
      ...orderFaults(items),
      ...toolFaults(body),
      ...choiceFaults(body),
      ...this.#reasoningFaults(items, body),
      ...lateTextFaults(
        items.slice(1).flatMap(({ role, content = "" }) => (isOfSystem(role) && content !== "" ? [textIn({ content } as Item)] : [])),
      ),
    ];
    if (faults.length > 0) {
      if (this.rejected.length < 5) this.rejected.push(faults.join("; "));
      return Response.json(
        { error: { message: faults.join("; "), type: "invalid_request_error", param: "input", code: null } },
        { status: 400 },
      );
    }
    const parts = [JSON.stringify(body.tools ?? []), ...body.input.map((item) => JSON.stringify(item))];
    const signatures = this.#signer.sign(parts, (index) => signedText(items[index - 1]));
    const said = this.#answer(offeredIn(body));
    if (said === "overloaded") return Response.json({ error: { message: "Overloaded", type: "server_error" } }, { status: 503 });
    this.#meter.measure(parts);
    if (items.some((item, index) => item.type === "reasoning" && this.#reasoning.get(item.id ?? "")?.signature !== signatures[index]))
      this.dropped += 1;
    const output = this.#write(said, signatures.at(-1) ?? "", body);
    if (body.stream === true) return streamed(openAiResponseStream(output));
    return Response.json({
      id: `resp_${this.requests}`,
      object: "response",
      created_at: 1_700_000_000,
      ...(said.isCutOff === true ? { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } } : { status: "completed" }),
      model: "gpt-5.6",
      output,
      usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
    });
  };

  /** Each answer begins with reasoning; some reason again between their text and their calls. */
  #write({ text = "", calls = [], isCutOff = false }: Said, signature: string, { store, tools }: Body): readonly Item[] {
    const isStored = store !== false;
    const searches = tools?.some(isSearch) === true;
    const number = ++this.#count;
    const message: Item = {
      type: "message",
      id: `msg_${number}`,
      role: "assistant",
      phase: calls.length > 0 ? "commentary" : "final_answer",
      content: [{ type: "output_text", text, annotations: [] }],
    };
    const called = calls.map((call, index) => this.#writeCall(call, `${number}_${index}`, searches));
    if (isCutOff) return this.#reasoned(`rs_${number}`, [], signature, isStored);
    if (text === "" || calls.length === 0) return this.#reasoned(`rs_${number}`, text === "" ? called : [message], signature, isStored);
    const between = hashOf(signature + signedText(message));
    return [
      ...this.#reasoned(`rs_${number}`, [message], signature, isStored),
      ...this.#reasoned(`rs_${number}_2`, called, between, isStored),
    ];
  }

  /** A call of the search has a form of its own if the request has the search in it. */
  #writeCall({ name, arguments: values }: SaidCall, number: string, searches: boolean): Item {
    const call_id = `call_${number}`;
    return searches && name === searchName
      ? { type: "tool_search_call", id: `tsc_${number}`, call_id, execution: "client", status: "completed", arguments: values }
      : { type: "function_call", id: `fc_${number}`, call_id, name, arguments: JSON.stringify(values), status: "completed" };
  }

  /** Items behind the reasoning that they belong to. */
  #reasoned(id: string, said: readonly Item[], signature: string, isStored: boolean): readonly Item[] {
    const thoughts = ["Hm.", "I see."].slice(0, this.#count % 3).map((text) => ({ type: "summary_text", text }));
    const item: Item = { type: "reasoning", id, summary: thoughts, ...(!isStored && { encrypted_content: `encrypted ${id}` }) };
    this.#reasoning.set(id, { item, signature, followedBy: said[0] });
    for (const one of said) this.#belongsTo.set(one.id ?? "", id);
    if (isStored) for (const one of [item, ...said]) this.#stored.set(one.id ?? "", one);
    return [item, ...said];
  }

  #reasoningFaults(items: readonly Item[], { store }: Body): string[] {
    let latest: string | undefined;
    return items.flatMap((item, index) => {
      if (item.type === "reasoning") {
        latest = item.id;
        return this.#faultsOfReasoning(item, items[index + 1], store !== false);
      }
      if (item.role === "user") latest = undefined;
      const owner = this.#belongsTo.get(item.id ?? "");
      return owner !== undefined && owner !== latest
        ? [`Item '${item.id}' of type '${item.type}' was provided without its required 'reasoning' item: '${owner}'.`]
        : [];
    });
  }

  #faultsOfReasoning(item: Item, next: Item | undefined, isStored: boolean): string[] {
    const known = this.#reasoning.get(item.id ?? "");
    if (known === undefined) return [`Item with id '${item.id}' not found.`];
    if (
      !isStored &&
      JSON.stringify([item.encrypted_content, item.summary]) !== JSON.stringify([known.item.encrypted_content, known.item.summary])
    )
      return [`The encrypted content for item ${item.id} could not be verified.`];
    const isFollowed =
      next !== undefined &&
      known.followedBy !== undefined &&
      (known.followedBy.call_id !== undefined
        ? next.call_id === known.followedBy.call_id && next.type === known.followedBy.type
        : next.role === "assistant" && textIn(next) === textIn(known.followedBy) && next.phase === known.followedBy.phase);
    return isFollowed ? [] : [`Item '${item.id}' of type 'reasoning' was provided without its required following item.`];
  }
}

const isOfSystem = (role: string | undefined): boolean => role === "developer" || role === "system";

const textIn = ({ content }: Item): string =>
  typeof content === "string" ? content : (content as readonly { readonly text?: string }[]).map(({ text = "" }) => text).join("");

/** What later reasoning is signed for: what an item says. Earlier reasoning, ids and states don't count. */
function signedText(item: Item | undefined): string {
  if (item === undefined || item.type === "reasoning") return "";
  if (item.role === "assistant") return JSON.stringify(["assistant", textIn(item)]);
  const { id: _id, status: _status, ...said } = item;
  return JSON.stringify(Object.entries(said).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The search for deferred tools: as a function, and in OpenAI's form. */
const searchName = "search_tools";
const searchForm = "tool_search";

const isSearch = ({ type }: FunctionTool): boolean => type === searchForm;

/** The results of a step follow its calls at once, and the items have the ids of their kinds. */
function orderFaults(items: readonly Item[]): string[] {
  const prefixes: Readonly<Record<string, string>> = { message: "msg", reasoning: "rs", function_call: "fc", tool_search_call: "tsc" };
  const ids = items.flatMap(({ id }) => id ?? []);
  const faults = ids.filter((id, index) => ids.indexOf(id) < index).map((id) => `Duplicate item found with id ${id}.`);
  let open = new Set<string>();
  for (const [index, { type = "message", role, id, call_id = "", arguments: text }] of items.entries()) {
    const isCall = type === "function_call" || type === "tool_search_call";
    const isAnswer = isCall || type === "reasoning" || role === "assistant";
    if (type === "function_call_output" || type === "tool_search_output") open.delete(call_id);
    else if (isCall) open.add(call_id);
    else if (open.size > 0 && !isAnswer) {
      faults.push(`input[${index}]: ${type} stands between calls and their outputs`);
      open = new Set();
    }
    if (id !== undefined && !id.startsWith(`${prefixes[type]}_`))
      faults.push(`input[${index}].id: expected an ID that begins with '${prefixes[type]}'`);
    if (type === "function_call" && typeof text !== "string") faults.push(`input[${index}].arguments is no string`);
  }
  return faults;
}

const toolsOf = ({ input }: Body, itemType: string): readonly FunctionTool[] =>
  input.flatMap(({ type, tools = [] }) => (type === itemType ? (tools as FunctionTool[]) : []));

/** At most 128 functions, each with a legal name that no other one has. A search may load what another one has loaded. */
function toolFaults(body: Body): string[] {
  const { tools = [] } = body;
  const loaded = new Map(toolsOf(body, "tool_search_output").map((tool) => [tool.name, tool]));
  const all = [...tools.filter((tool) => !isSearch(tool)), ...toolsOf(body, "additional_tools"), ...loaded.values()];
  const names = all.map(({ name }) => name);
  return [
    ...(tools.length > 128 ? [`Invalid 'tools': array too long. Expected an array with maximum length 128, but got ${tools.length}.`] : []),
    ...names.filter((name, index) => names.indexOf(name) < index).map((name) => `the tool ${name} is there twice`),
    ...all.flatMap(openAiFaults),
    ...body.input
      .filter(({ type, role, tools: added = [] }) => type === "additional_tools" && (role !== "developer" || added.length === 0))
      .map(() => "additional_tools must be the developer's, and not empty"),
    ...(loaded.size > 0 && !tools.some(isSearch) ? ["tool_search_output without the tool tool_search"] : []),
  ];
}

/** A choice names functions of the list alone. */
function choiceFaults({ tools = [], tool_choice: choice = "auto" }: Body): string[] {
  if (typeof choice === "string")
    return choice === "required" && tools.length === 0 ? ["Tool choice 'required' must be specified with 'tools' parameter."] : [];
  const listed = new Set(tools.flatMap((tool) => (isSearch(tool) ? [] : [tool.name])));
  const named = namesIn(choice);
  if (named.length === 0) return ["tool_choice.tools is empty"];
  return named.filter((name) => !listed.has(name)).map((name) => `Tool choice '${name}' not found in 'tools' parameter.`);
}

const namesIn = ({ type, name = "", tools = [] }: Exclude<NonNullable<Body["tool_choice"]>, string>): readonly string[] =>
  type === "allowed_tools" ? tools.map((tool) => tool.name) : [name];

/** What the model may call. It reads which tools it may not call any more, if no list says so. */
function offeredIn(body: Body): Definitions {
  const { tools = [], tool_choice: choice = "auto" } = body;
  if (choice === "none") return new Map();
  const known = new Map(tools.map((tool) => [isSearch(tool) ? searchName : tool.name, tool]));
  const offered = new Map(known);
  const knownName = (name: string): string => (name === searchForm ? searchName : name);
  for (const { type, role, content, tools: added = [] } of body.input) {
    if (type === "additional_tools" || type === "tool_search_output") {
      for (const tool of added) for (const tools of [known, offered]) tools.set(tool.name, tool);
    }
    if (role !== "developer") continue;
    const [, withdrawn] = /^These tools can't be called any more: (.*)\.$/.exec(content) ?? [];
    const [, again] = /^These tools can be called again: (.*)\.$/.exec(content) ?? [];
    for (const name of withdrawn?.split(", ") ?? []) offered.delete(knownName(name));
    for (const name of again?.split(", ").map(knownName) ?? []) {
      const tool = known.get(name);
      if (tool !== undefined) offered.set(name, tool);
    }
  }
  if (typeof choice === "string") return offered;
  const named = new Set(namesIn(choice));
  return new Map([...offered].filter(([name]) => named.has(name)));
}
