/** Long random conversations with the real packages, against what the providers enforce. */
import { deepStrictEqual, ok } from "node:assert/strict";
import type { FastCheck } from "../histories/plans.js";
import type { ProviderPackages } from "../histories/models.js";
import { GroqProvider, MistralProvider, OpenAiChatProvider } from "./chat-providers.js";
import { ClaudeProvider } from "./claude-provider.js";
import { ConverseProvider } from "./converse-provider.js";
import { GeminiProvider } from "./gemini-provider.js";
import {
  type Connect,
  converse,
  type Held,
  type Library,
  longConversations,
  type Offer,
  type Setting,
  type Turn,
} from "./long-conversation.js";
import { OpenAiProvider } from "./openai-provider.js";
import type { Answering, StandIn } from "./stand-in.js";

/** The library and the packages come from the caller: each build has its own. */
export interface World {
  readonly library: Library;
  readonly packages: ProviderPackages;
  readonly fc: FastCheck;
  /** How many conversations each check holds. */
  readonly runs: number;
  /** Whether the conversations are others each time. The seed of one that fails is printed. */
  readonly isRandom?: boolean;
}

const connecting =
  (Provider: new (answer: Answering) => StandIn, modelOn: (fetching: typeof fetch) => unknown): Connect =>
  (answer) => {
    const provider = new Provider(answer);
    return { provider, model: modelOn(provider.fetch) };
  };

export const claude = ({ packages }: World): Connect =>
  connecting(ClaudeProvider, (fetch) => packages.createAnthropic?.({ apiKey: "key", fetch })("claude-opus-5-5"));

export const claudeOnBedrock = ({ packages }: World): Connect =>
  connecting(ClaudeProvider, (fetch) =>
    packages.createBedrockAnthropic?.({ apiKey: "key", fetch, region: "us-east-1" })("anthropic.claude-opus-5-5-v1:0"),
  );

/** Bedrock's own form, with the name of a model or the ARN of a profile that doesn't say which model it has. */
export const converseApi = ({ packages }: World, id = "us.anthropic.claude-opus-5-5-v1:0"): Connect =>
  connecting(ConverseProvider, (fetch) => packages.createAmazonBedrock?.({ apiKey: "key", fetch, region: "us-east-1" })(id));

export const openAi = ({ packages }: World, id = "gpt-5.6"): Connect =>
  connecting(OpenAiProvider, (fetch) => packages.createOpenAI?.({ apiKey: "key", fetch })(id));

export const gemini = ({ packages }: World): Connect =>
  connecting(GeminiProvider, (fetch) => packages.createGoogleGenerativeAI?.({ apiKey: "key", fetch })("gemini-3-pro-preview"));

export const openAiChat = ({ packages }: World): Connect =>
  connecting(OpenAiChatProvider, (fetch) => packages.createOpenAI?.({ apiKey: "key", fetch }).chat("gpt-5-mini"));

export const mistral = ({ packages }: World): Connect =>
  connecting(MistralProvider, (fetch) => packages.createMistral?.({ apiKey: "key", fetch })("magistral-medium-latest"));

export const groq = ({ packages }: World): Connect =>
  connecting(GroqProvider, (fetch) => packages.createGroq?.({ apiKey: "key", fetch })("qwen/qwen3.6-27b"));

interface Conversations extends Omit<Setting, "library"> {
  readonly seed: number;
  /** Changes the turns: by default, they stay as they are. */
  readonly change?: (turns: readonly Turn[]) => readonly Turn[];
}

/** Holds conversations, and checks each. */
export async function hold(
  { library, fc, runs, isRandom = false }: World,
  conversations: Conversations,
  check: (held: Held) => void,
): Promise<void> {
  const { seed, change = (turns) => turns, ...setting } = conversations;
  const property = fc.asyncProperty(longConversations(fc), async (turns) => check(await converse(change(turns), { ...setting, library })));
  await fc.assert(property, { numRuns: runs, ...(!isRandom && { seed }), endOnFailure: true });
}

/** The first third of a conversation. */
export const firstThird = (turns: readonly Turn[]): readonly Turn[] => turns.slice(0, 10);

/** Gemini's package says so of calls that another model made. */
const isOfForeignCalls = (warning: string): boolean => warning.includes("skip_thought_signature_validator");

/** No request was rejected, none lost reasoning, and the model had the tools of its user in each step. */
export function checkKept(held: Held, mostDropped = 0): void {
  const { provider, wrong, warnings } = held;
  const { rejected, dropped } = provider;
  checkReports(held);
  const others = warnings.filter((warning) => !isOfForeignCalls(warning));
  deepStrictEqual({ rejected, wrong, others }, { rejected: [], wrong: [], others: [] });
  ok(dropped <= mostDropped, `${dropped} requests lost reasoning`);
}

/** The conversation was long, and had found tools and pictures. */
export function checkLength({ steps, pictures, foundCalls }: Held): void {
  ok(steps >= 200 && pictures > 3 && foundCalls > 3, `${steps} steps, ${pictures} pictures, ${foundCalls} calls of found tools`);
}

/** Whether each request but the first doesn't begin as the one before. */
export const breaksOf = ({ provider }: Held): readonly boolean[] => provider.repetitions.map(({ bytes, shared }) => shared < bytes);

/** Listeners received each change of the beginning that a process could see, and nothing else. */
export function checkReports(held: Held): void {
  const unknown = new Set(held.unknown);
  const broken = breaksOf(held).flatMap((breaks, index) => (breaks && !unknown.has(index) ? [index] : []));
  deepStrictEqual(
    held.reported.filter((index) => !unknown.has(index)),
    broken,
  );
}

/** Requests begin anew, with another list of tools, only for these offers. */
export function checkNewDefinitionsAlone(held: Held, isNewDefinition: (offer: Offer) => boolean): void {
  const withDefinitions = held.offers.map(isNewDefinition);
  deepStrictEqual(breaksOf(held), withDefinitions);
  deepStrictEqual(
    held.provider.repetitions.map(({ sameTools }) => !sameTools),
    withDefinitions,
  );
}

/** Requests begin anew where the tools or the instructions are others. */
export function checkChangesAlone(held: Held): void {
  deepStrictEqual(
    breaksOf(held),
    held.offers.map(({ isOther }) => isOther),
  );
}

/** Requests begin anew, and lose thinking, only if a definition is new. The model is told, and nothing is rejected. */
export function checkFrozen(held: Held): void {
  const { provider, wrong, warnings, offers } = held;
  const others = warnings.filter((warning) => !warning.includes("thinking of earlier answers was dropped"));
  deepStrictEqual({ rejected: provider.rejected, wrong, others }, { rejected: [], wrong: [], others: [] });
  // A new definition counts once the model is asked with it, if ever: others may have answered before.
  let left = 0;
  for (const [index, breaks] of breaksOf(held).entries()) {
    left += offers[index]?.definitions ?? 0;
    if (breaks) left -= 1;
    ok(left >= 0, `request ${index} begins anew without a new definition`);
  }
  ok(provider.dropped <= breaksOf(held).filter((breaks) => breaks).length, `${provider.dropped} requests lost thinking`);
  checkReports(held);
}
