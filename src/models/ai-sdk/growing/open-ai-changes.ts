import type { ChatRequest, ModelTool } from "../../chat-model.js";
import type { Message } from "../../message.js";
import type { GrowingRequest } from "../../prefix.js";
import { nameInForm, withClientSearch } from "../client-search/client-search.js";
import { type LoadedTools, loadedTools } from "../client-search/loaded-tools.js";
import type { AiSdkLanguageModel, AiSdkMessage } from "../language-model.js";
import { type ChangeWriter, changedInstructions, changesIn, type SentForm, type ToWire } from "./sent-form.js";

/**
 * The form for OpenAI's Responses API. Changed instructions are late messages of the developer, and a list of allowed tools hides the
 * withdrawn ones. Since AI SDK 7 new functions are added in their places; before, they are added to the end of the list. `isSearching`:
 * tools that were found are loaded by the results of searches, with both.
 */
export function allowListForm(
  request: ChatRequest,
  growing: GrowingRequest,
  model: AiSdkLanguageModel,
  toWire: ToWire,
  isSearching: boolean,
): SentForm {
  const first = new Set(growing.tools.map(({ name }) => name));
  // A definition that has changed replaces the first one in its place: the API has no message for the change.
  const all = new Map(growing.tools.map((tool) => [tool.name, tool]));
  for (const tool of changesIn(growing).flatMap(({ offered = [] }) => offered)) all.set(tool.name, tool);
  const loaded = isSearching ? loadedTools(growing) : undefined;
  const isInPlace = ({ name, providerTool }: ModelTool): boolean =>
    model.specificationVersion === "v4" && !first.has(name) && providerTool === undefined;
  const tools = [...all.values()].filter(({ name }) => first.has(name) || loaded?.names.has(name) !== true);
  const laterTools = tools.filter(isInPlace);
  const declared = tools.filter((tool) => !isInPlace(tool));
  const declaredNames = new Set(declared.map(({ name }) => name));
  const current = request.tools.map(({ name }) => name);
  // A list of allowed tools takes neither the search nor what isn't declared: texts say which tools can't be called any more.
  const isListable = (name: string): boolean => declaredNames.has(name) && !(isSearching && all.get(name)?.findsTools === true);
  const isNarrowed = current.length < all.size && current.every(isListable);
  const later = new Map(laterTools.map((tool) => [tool.name, tool]));
  return {
    messages: growing.messages,
    tools: isSearching ? withClientSearch(declared) : declared,
    ...(laterTools.length > 0 && { laterTools }),
    ...(isNarrowed && { allowedTools: current }),
    ...(loaded !== undefined && { searches: resultsOf(loaded, all, toWire) }),
    changeWriter: () => writerOf(first, later, loaded, toWire),
  };
}

/** What the model had before a search isn't loaded as well. `all`: each tool as it was defined last. */
function resultsOf(
  { results, names }: LoadedTools,
  all: ReadonlyMap<string, ModelTool>,
  toWire: ToWire,
): Map<Message, readonly ModelTool[]> {
  const wired = new Map<Message, readonly ModelTool[]>();
  for (const [result, tools] of results) {
    const found = tools.filter(({ name }) => names.has(name)).map((tool) => all.get(tool.name) ?? tool);
    wired.set(result, found.length === 0 ? [] : toWire(found));
  }
  return wired;
}

/** The form of a conversation whose instructions and tools have never changed. */
export function searchForm({ messages, tools }: ChatRequest): SentForm {
  const { results } = loadedTools({ messages, tools });
  return { messages, tools: withClientSearch(tools), searches: results };
}

/** `later`: the tools that are added in their places. */
function writerOf(
  first: ReadonlySet<string>,
  later: ReadonlyMap<string, ModelTool>,
  loaded: LoadedTools | undefined,
  toWire: ToWire,
): ChangeWriter {
  const added = new Set<string>();
  const known = new Set(first);
  const available = new Set(first);
  return ({ instructions, offered = [], withdrawn = [] }) => {
    const back = offered.map(({ name }) => name).filter((name) => known.has(name) && !available.has(name));
    const fresh = offered.flatMap(({ name }) => (added.has(name) ? [] : (later.get(name) ?? [])));
    for (const name of withdrawn) available.delete(name);
    // The list of allowed tools hides those that are withdrawn, until the first tool is added in its place. Beside the search there is none.
    const isTold = loaded !== undefined || added.size > 0;
    const gone = isTold ? withdrawn : [...known].filter((name) => !available.has(name) && !back.includes(name));
    for (const { name } of offered) {
      known.add(name);
      available.add(name);
    }
    for (const { name } of fresh) added.add(name);
    const texts = [
      ...(instructions === undefined ? [] : [changedInstructions(instructions)]),
      ...((isTold || added.size > 0) && gone.length > 0 ? [`These tools can't be called any more: ${namesOf(gone, loaded)}.`] : []),
      ...(isTold && back.length > 0 ? [`These tools can be called again: ${namesOf(back, loaded)}.`] : []),
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

/** As the model knows them. */
const namesOf = (names: readonly string[], loaded: LoadedTools | undefined): string =>
  (loaded === undefined ? names : names.map(nameInForm)).join(", ");
