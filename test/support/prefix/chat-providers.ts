/** What providers of the Chat Completions form publish beyond what they share. */
import { openAiFaults } from "../provider-rules/openai.js";
import { providerFaults } from "../provider-rules/index.js";
import { type ChatBody, ChatProvider, type ChatRules, lateSystemFaults, piecesOf, pictureFaults } from "./chat-provider.js";
import type { Answering } from "./stand-in.js";

const roleFaults = ({ messages }: ChatBody, roles: readonly string[]): string[] =>
  messages.filter(({ role }) => !roles.includes(role)).map(({ role }) => `Invalid value: '${role}'`);

const nestedUrl = (part: any): unknown => part.image_url?.url;

/** https://platform.openai.com/docs/api-reference/chat/create */
const openAi: ChatRules = {
  wire: "openai",
  callId: (count) => `call_${String(count).padStart(24, "0")}`,
  faults: (body) => [
    ...roleFaults(body, ["developer", "system", "user", "assistant", "tool"]),
    ...lateSystemFaults(body),
    ...mostFaults(body),
    ...(body.tools ?? []).flatMap((tool) => openAiFaults({ strict: false, ...tool.function })),
    ...pictureFaults(body, nestedUrl),
  ],
  error: (message, type) => ({ error: { message, type, param: null, code: null } }),
  // It keeps its thinking to itself.
  write: (text) => ({ content: text === "" ? null : text, refusal: null }),
  writePieces: (text) => piecesOf(text).map((content) => ({ content })),
};

/** https://console.groq.com/docs/api-reference#chat-create; thinking is in `reasoning`. */
const groq: ChatRules = {
  wire: "groq",
  callId: (count) => `fc_${String(count).padStart(8, "0")}-1f2e-4a3b-9c4d-${String(count).padStart(12, "0")}`,
  faults: (body) => [
    ...roleFaults(body, ["developer", "system", "user", "assistant", "tool"]),
    ...lateSystemFaults(body),
    ...mostFaults(body),
    ...pictureFaults(body, nestedUrl),
  ],
  error: (message, type) => ({ error: { message, type } }),
  write: (text, thinking) => ({ content: text, ...(thinking !== "" && { reasoning: thinking }) }),
  writePieces: (text, thinking) => [
    ...piecesOf(thinking).map((reasoning) => ({ reasoning })),
    ...piecesOf(text).map((content) => ({ content })),
  ],
};

/** https://docs.mistral.ai/api; thinking is a part of the content. */
const mistral: ChatRules = {
  wire: "mistral",
  callId: (count) => `Ab${String(count).padStart(7, "0")}`,
  faults: (body) => [
    ...roleFaults(body, ["system", "user", "assistant", "tool"]),
    ...lateSystemFaults(body),
    ...providerFaults<"mistral">((body.tools ?? []) as any, "mistral"),
    ...pictureFaults(body, (part) => part.image_url?.url ?? part.image_url),
  ],
  error: (message, type) => ({ object: "error", message, type, param: null, code: "3230" }),
  write: (text, thinking) => ({ content: thinking === "" ? text : [thought(thinking), ...(text === "" ? [] : [{ type: "text", text }])] }),
  writePieces: (text, thinking) => [
    ...piecesOf(thinking).map((piece) => ({ content: [thought(piece)] })),
    ...piecesOf(text).map((content) => ({ content })),
  ],
};

const thought = (text: string): object => ({ type: "thinking", thinking: [{ type: "text", text }] });

/** "'tools' : maximum number of items is 128", and OpenAI's "A max of 128 functions are supported". */
const mostFaults = ({ tools = [] }: ChatBody): string[] => (tools.length > 128 ? [`${tools.length} tools, of at most 128`] : []);

const providerWith = (rules: ChatRules): (new (answer: Answering) => ChatProvider) =>
  class extends ChatProvider {
    constructor(answer: Answering) {
      super(answer, rules);
    }
  };

export const OpenAiChatProvider = providerWith(openAi);
export const GroqProvider = providerWith(groq);
export const MistralProvider = providerWith(mistral);
