import type { ChatRequest, ModelTool } from "../../chat-model.js";
import type { GrowingRequest } from "../../prefix.js";
import type { AiSdkLanguageModel, AiSdkMessage } from "../language-model.js";
import { type ChangeWriter, changedInstructions, changesIn, type SentForm, type ToWire } from "./sent-form.js";

/**
 * The form for OpenAI's Responses API. Changed instructions are late messages of the developer, and a list of allowed tools hides the
 * withdrawn ones. Since AI SDK 7 new tools are added in their places; before, they are added to the end of the list.
 */
export function allowListForm(request: ChatRequest, growing: GrowingRequest, model: AiSdkLanguageModel, toWire: ToWire): SentForm {
  const changes = changesIn(growing);
  const first = new Map(growing.tools.map((tool) => [tool.name, tool]));
  const all = new Map(first);
  for (const tool of changes.flatMap(({ offered = [] }) => offered)) all.set(tool.name, tool);
  // A definition that has changed replaces the first one: the API has no way to tell of it.
  const tools = [...first.keys()].map((name) => all.get(name) as ModelTool);
  const added = [...all.values()].filter(({ name }) => !first.has(name));
  const isAddedInPlace =
    model.specificationVersion === "v4" && added.length > 0 && added.every(({ providerTool }) => providerTool === undefined);
  const declared = isAddedInPlace ? tools : [...tools, ...added];
  const current = request.tools.map(({ name }) => name);
  // Tools that were added in their places can't be in a list of allowed ones; the executor rejects calls of withdrawn tools.
  const isNarrowed = current.length < all.size && current.every((name) => !isAddedInPlace || first.has(name));
  return {
    messages: growing.messages,
    tools: declared,
    ...(isAddedInPlace && { laterTools: added }),
    ...(isNarrowed && { allowedTools: current }),
    changeWriter: () => writerOf(isAddedInPlace ? first : all, toWire),
  };
}

/** `declared`: the tools that are in the list of the request. */
function writerOf(declared: ReadonlyMap<string, ModelTool>, toWire: ToWire): ChangeWriter {
  const added = new Set<string>();
  return ({ instructions, offered = [], withdrawn = [] }) => {
    const later = offered.filter(({ name }) => !declared.has(name));
    const fresh = later.filter(({ name }) => !added.has(name));
    for (const { name } of fresh) added.add(name);
    const texts = [
      ...(instructions === undefined ? [] : [changedInstructions(instructions)]),
      ...(added.size > 0 && withdrawn.length > 0 ? [`These tools can't be called any more: ${withdrawn.join(", ")}.`] : []),
      ...(later.length > fresh.length
        ? [`These tools can be called again: ${namesOf(later.filter((tool) => !fresh.includes(tool)))}.`]
        : []),
    ];
    const messages = texts.map((content): AiSdkMessage => ({ role: "system", content }));
    if (fresh.length === 0) return messages;
    const additionalTools = toWire(fresh).map(({ name, description, parameters, strict = false }) => ({
      type: "function",
      name,
      description,
      parameters,
      strict,
    }));
    return [...messages, { role: "system", content: "", providerOptions: { openai: { additionalTools } } }];
  };
}

const namesOf = (tools: readonly ModelTool[]): string => tools.map(({ name }) => name).join(", ");
