import { historyFaults } from "../histories/rules.js";
import { geminiStream } from "../provider-streams.js";
import { type Answering, type Definitions, PrefixMeter, type Repetition, type Said, type StandIn, streamed } from "./stand-in.js";

/** A request to POST /models/{model}:generateContent. */
interface Body {
  readonly systemInstruction?: unknown;
  readonly contents: readonly Content[];
  readonly tools?: readonly { readonly functionDeclarations?: readonly { readonly name: string }[] }[];
  readonly toolConfig?: { readonly functionCallingConfig?: { readonly mode?: string; readonly allowedFunctionNames?: readonly string[] } };
}

interface Content {
  readonly role: string;
  readonly parts: readonly Part[];
}

interface Part {
  readonly text?: string;
  readonly thought?: boolean;
  readonly functionCall?: { readonly id?: string; readonly name: string; readonly args: unknown };
  readonly functionResponse?: { readonly id?: string; readonly name: string; readonly response: unknown; readonly parts?: readonly any[] };
  readonly thoughtSignature?: string;
}

/** Google documents it for calls of other models: https://ai.google.dev/gemini-api/docs/thought-signatures */
const sentinel = "skip_thought_signature_validator";

const mostFunctions = 512;

/**
 * Gemini 3 as it is documented. The first call of each step is signed, and so is the last text of an answer. Signatures come back on the
 * parts where they stood: a request in which a first call has none is rejected.
 */
export class GeminiProvider implements StandIn {
  readonly rejected: string[] = [];
  /** Requests in which a part came back without its signature, or with one of another part. */
  dropped = 0;
  requests = 0;
  readonly #answer: Answering;
  readonly #meter = new PrefixMeter();
  /** What a signature stands on. */
  readonly #signed = new Map<string, string>();
  #count = 0;

  constructor(answer: Answering) {
    this.#answer = answer;
  }

  get repetitions(): readonly Repetition[] {
    return this.#meter.repetitions;
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const body = JSON.parse(String(init?.body)) as Body;
    this.requests += 1;
    const faults = [...historyFaults("google", body), ...turnFaults(body), ...functionFaults(body), ...this.#signatureFaults(body)];
    if (faults.length > 0) {
      if (this.rejected.length < 5) this.rejected.push(faults.join("; "));
      return Response.json({ error: { code: 400, message: faults.join("; "), status: "INVALID_ARGUMENT" } }, { status: 400 });
    }
    const said = this.#answer(offeredIn(body));
    if (said === "overloaded") {
      return Response.json({ error: { code: 503, message: "The model is overloaded.", status: "UNAVAILABLE" } }, { status: 503 });
    }
    if (this.#losesSignatures(body)) this.dropped += 1;
    const parts = [body.tools ?? [], body.systemInstruction ?? "", ...body.contents].map((part) => JSON.stringify(part));
    this.#meter.measure(parts);
    const written = this.#write(said);
    if (String(input).includes(":streamGenerateContent")) return streamed(geminiStream(written));
    return Response.json({
      candidates: [{ index: 0, finishReason: "STOP", content: { role: "model", parts: written } }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    });
  };

  /** Some servers give their calls ids, and some don't. */
  #write({ text = "", calls = [] }: Said): readonly Part[] {
    const number = ++this.#count;
    const parts: Part[] = [
      ...(number % 3 === 0 ? [{ text: "Hm.", thought: true }] : []),
      ...(text === "" ? [] : [{ text }]),
      ...calls.map(({ name, arguments: args }, index) => ({
        functionCall: { ...(number % 2 === 0 && { id: `fc_${number}_${index}` }), name, args },
      })),
    ];
    const first = parts.findIndex(({ functionCall }) => functionCall !== undefined);
    const place = first < 0 ? parts.length - 1 : first;
    const part = parts[place];
    if (part === undefined) return parts;
    const thoughtSignature = `signature ${number}`;
    this.#signed.set(thoughtSignature, contentOf(part));
    parts[place] = { ...part, thoughtSignature };
    return parts;
  }

  /** The first call of each step in the turn that is under way. */
  #signatureFaults({ contents }: Body): string[] {
    const start = contents.findLastIndex(
      ({ role, parts }) => role === "user" && parts.every((part) => part.functionResponse === undefined),
    );
    return contents.slice(start + 1).flatMap(({ role, parts }, index) => {
      const first = role === "model" ? parts.find(({ functionCall }) => functionCall !== undefined) : undefined;
      if (first === undefined || first.thoughtSignature === sentinel || this.#signed.has(first.thoughtSignature ?? "")) return [];
      return [
        `Function call is missing a thought_signature in functionCall parts: ${first.functionCall?.name}, position ${start + 1 + index}`,
      ];
    });
  }

  #losesSignatures({ contents }: Body): boolean {
    const returned = new Map(contents.flatMap(({ parts }) => parts).map((part) => [part.thoughtSignature, contentOf(part)]));
    const kept = [...this.#signed].filter(([signature]) => returned.has(signature));
    return kept.length < this.#signed.size || kept.some(([signature, content]) => returned.get(signature) !== content);
  }
}

/** A part as it is signed. The package gives ids to calls that have none. */
const contentOf = ({ text, functionCall }: Part): string => JSON.stringify([text, functionCall?.name, functionCall?.args]);

/** The model never speaks twice in a row; responses have the names and ids of the calls, in their order, and pictures that Gemini reads. */
function turnFaults({ contents }: Body): string[] {
  const faults: string[] = contents[0]?.role === "user" ? [] : [`the first turn is the ${contents[0]?.role}'s`];
  for (const [index, { role, parts }] of contents.entries()) {
    const before = contents[index - 1];
    if (role === "model" && before?.role === "model") faults.push(`contents[${index}]: the model speaks twice in a row`);
    const responses = parts.flatMap(({ functionResponse }) => functionResponse ?? []);
    const calls = responses.length === 0 ? [] : (before?.parts ?? []).flatMap(({ functionCall }) => functionCall ?? []);
    if (responses.some(({ name, id }, place) => name !== calls[place]?.name || id !== calls[place]?.id))
      faults.push(`contents[${index}]: the responses are of other calls`);
    for (const { inlineData } of responses.flatMap(({ parts: files = [] }) => files))
      if (!/^(image\/(png|jpeg|webp)|application\/pdf)$/.test(inlineData?.mimeType) || !/^[A-Za-z0-9+/]+=*$/.test(inlineData.data))
        faults.push(`contents[${index}]: a file of the type ${inlineData?.mimeType}`);
  }
  return faults;
}

const functionsIn = ({ tools = [] }: Body) => tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations);

function functionFaults(body: Body): string[] {
  const functions = functionsIn(body);
  const names = functions.map(({ name }) => name);
  const allowed = body.toolConfig?.functionCallingConfig?.allowedFunctionNames ?? [];
  return [
    ...(names.length > mostFunctions ? [`${names.length} function declarations, of at most ${mostFunctions}`] : []),
    ...names.filter((name, index) => names.indexOf(name) < index).map((name) => `Duplicate function declaration found: ${name}`),
    ...allowed.filter((name) => !names.includes(name)).map((name) => `allowed_function_names has ${name}, which isn't declared`),
    ...names.filter((name) => !/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/.test(name)).map((name) => `Invalid function name: ${name}`),
  ];
}

function offeredIn(body: Body): Definitions {
  const { mode, allowedFunctionNames } = body.toolConfig?.functionCallingConfig ?? {};
  if (mode === "NONE") return new Map();
  const declared = functionsIn(body).filter(({ name }) => allowedFunctionNames?.includes(name) !== false);
  return new Map(declared.map((one) => [one.name, one]));
}
