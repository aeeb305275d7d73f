import type { ChatRequest, ModelTool } from "../../chat-model.js";
import type { Message } from "../../message.js";
import type { GrowingRequest } from "../../prefix.js";
import { isSameTool } from "../../same-tool.js";
import { nameInForm, withClientSearch } from "../client-search/client-search.js";
import { type LoadedTools, loadedTools } from "../client-search/loaded-tools.js";
import type { AiSdkLanguageModel, AiSdkMessage } from "../language-model.js";
import { type ChangeWriter, changedInstructions, changesIn, type SentForm, type ToWire } from "./sent-form.js";

/**
 * The form for OpenAI's Responses API. Changed instructions are late messages of the developer, and a list of allowed tools hides the
 * withdrawn ones. Since AI SDK 7 new tools are added in their places; before, they are added to the end of the list. `isSearching`: tools
 * that were found are loaded by the results of searches, with both.
 */
export function allowListForm(
  request: ChatRequest,
  growing: GrowingRequest,
  model: AiSdkLanguageModel,
  toWire: ToWire,
  isSearching: boolean,
): SentForm {
  const changes = changesIn(growing);
  const first = new Map(growing.tools.map((tool) => [tool.name, tool]));
  const all = new Map(first);
  for (const tool of changes.flatMap(({ offered = [] }) => offered)) all.set(tool.name, tool);
  const loaded = isSearching ? loadedTools(growing) : undefined;
  const isLoaded = (tool: ModelTool): boolean => {
    const latest = loaded?.latest.get(tool.name);
    return latest !== undefined && isSameTool(latest, tool);
  };
  // A definition that has changed replaces the first one: the API has no way to tell of it.
  const tools = [...first.keys()].map((name) => all.get(name) as ModelTool);
  const added = [...all.values()].filter((tool) => !first.has(tool.name) && !isLoaded(tool));
  const isAddedInPlace =
    model.specificationVersion === "v4" && added.length > 0 && added.every(({ providerTool }) => providerTool === undefined);
  const declared = isAddedInPlace ? tools : [...tools, ...added];
  const declaredNames = new Set(declared.map(({ name }) => name));
  const current = request.tools.map(({ name }) => name);
  // A list of allowed tools takes neither the search nor what isn't declared; the executor rejects calls of withdrawn tools.
  const isListable = (name: string): boolean => declaredNames.has(name) && !(isSearching && all.get(name)?.findsTools === true);
  const isNarrowed = current.length < all.size && current.every(isListable);
  const withResults = loaded === undefined ? {} : { searches: resultsOf(loaded, declaredNames, toWire) };
  return {
    messages: growing.messages,
    tools: isSearching ? withClientSearch(declared) : declared,
    ...(isAddedInPlace && { laterTools: added }),
    ...(isNarrowed && { allowedTools: current }),
    ...withResults,
    changeWriter: () => writerOf(isAddedInPlace ? first : all, loaded, toWire),
  };
}

/** A tool that is in the list of the request isn't loaded as well. */
function resultsOf({ results }: LoadedTools, declared: ReadonlySet<string>, toWire: ToWire): Map<Message, readonly ModelTool[]> {
  const wired = new Map<Message, readonly ModelTool[]>();
  for (const [result, tools] of results) {
    const found = tools.filter(({ name }) => !declared.has(name));
    wired.set(result, found.length === 0 ? [] : toWire(found));
  }
  return wired;
}

/** The form of a conversation whose instructions and tools have never changed. */
export function searchForm({ messages, tools }: ChatRequest): SentForm {
  const { results } = loadedTools({ messages, tools });
  return { messages, tools: withClientSearch(tools), searches: results };
}

/** `declared`: the tools that are in the list of the request. */
function writerOf(declared: ReadonlyMap<string, ModelTool>, loaded: LoadedTools | undefined, toWire: ToWire): ChangeWriter {
  const added = new Set<string>();
  const gone = new Set<string>();
  return (change) => {
    const { instructions, offered = [], withdrawn = [] } = change;
    const found = loaded?.before.get(change);
    const later = offered.filter(({ name }) => !declared.has(name) && found?.has(name) !== true);
    const fresh = later.filter(({ name }) => !added.has(name));
    // Beside the search there is no list of allowed tools, so that these are named, too.
    const again = offered.filter((tool) => (loaded === undefined ? later.includes(tool) : gone.has(tool.name)) && !fresh.includes(tool));
    for (const { name } of fresh) added.add(name);
    for (const name of found ?? []) added.add(name);
    for (const name of withdrawn) gone.add(name);
    for (const { name } of offered) gone.delete(name);
    const texts = [
      ...(instructions === undefined ? [] : [changedInstructions(instructions)]),
      ...((added.size > 0 || loaded !== undefined) && withdrawn.length > 0
        ? [`These tools can't be called any more: ${namesOf(withdrawn, loaded)}.`]
        : []),
      ...(again.length > 0
        ? [
            `These tools can be called again: ${namesOf(
              again.map(({ name }) => name),
              loaded,
            )}.`,
          ]
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

/** As the model knows them. */
const namesOf = (names: readonly string[], loaded: LoadedTools | undefined): string =>
  (loaded === undefined ? names : names.map(nameInForm)).join(", ");
