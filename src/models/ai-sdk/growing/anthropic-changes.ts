import type { ModelTool } from "../../chat-model.js";
import { isSameTool } from "../../same-tool.js";
import type { ChangeEntry, GrowingRequest } from "../../prefix.js";
import type { AiSdkMessage, AiSdkTool } from "../language-model.js";
import { toolEntry } from "../tool-offer.js";
import { type ChangeWriter, changedInstructions, changesIn, type SentForm, type ToWire } from "./sent-form.js";

/** A change of one tool in a late system message, as the package takes it. */
type ToolChange =
  | { readonly type: "tool_addition" | "tool_removal"; readonly toolName: string }
  | { readonly type: "tool_addition"; readonly tool: object };

/** What the model can call at a place of the history, and how each tool was last defined. */
class KnownTools {
  readonly #definitions = new Map<string, ModelTool>();
  readonly #available = new Set<string>();

  constructor(tools: readonly ModelTool[]) {
    for (const tool of tools) this.add(tool);
  }

  /** The tool that was defined first, as it is now. */
  get first(): ModelTool | undefined {
    return this.#definitions.values().next().value;
  }

  /** Whether the name belongs to a tool that another definition can't replace: a function, or another one of the provider's tools. */
  isOfOtherType({ name, providerTool }: ModelTool): boolean {
    const known = this.#definitions.get(name);
    return known !== undefined && known.providerTool?.id !== providerTool?.id;
  }

  knows(tool: ModelTool): boolean {
    const known = this.#definitions.get(tool.name);
    return known !== undefined && isSameTool(known, tool);
  }

  isAvailable(name: string): boolean {
    return this.#available.has(name);
  }

  add(tool: ModelTool): void {
    this.#definitions.set(tool.name, tool);
    this.#available.add(tool.name);
  }

  remove(name: string): boolean {
    return this.#available.delete(name);
  }
}

/** Only newer specifications of the AI SDK take changes. */
const entryOf = (tool: ModelTool): AiSdkTool => toolEntry(tool, "v3");

/**
 * Late system messages with the definitions of new tools. `undefined` if the package would move one of them to the top of the request,
 * because there are no instructions before it and no tools so far, or if a name passes to a tool of another type.
 */
export function changesByValue(growing: GrowingRequest, toWire: ToWire): SentForm | undefined {
  const hasInstructions = growing.messages[0]?.role === "system";
  const known = new KnownTools(growing.tools);
  for (const { offered = [] } of changesIn(growing)) {
    if (offered.some((tool) => known.isOfOtherType(tool))) return undefined;
    for (const tool of offered) known.add(tool);
    if (!hasInstructions && known.first === undefined) return undefined;
  }
  return { ...growing, changeWriter: () => writerByValue(growing.tools, hasInstructions, toWire) };
}

/** A text alone would become the instructions of a request without any: then a tool is sent beside it. */
function writerByValue(tools: readonly ModelTool[], hasInstructions: boolean, toWire: ToWire): ChangeWriter {
  const known = new KnownTools(tools);
  const added = ({ offered = [] }: ChangeEntry): ToolChange[] => {
    const wired = toWire(offered);
    return offered.flatMap((tool, index): ToolChange[] => {
      const { name } = tool;
      const isKnown = known.knows(tool);
      if (isKnown && known.isAvailable(name)) return [];
      known.add(tool);
      return [isKnown ? { type: "tool_addition", toolName: name } : { type: "tool_addition", tool: entryOf(wired[index] ?? tool) }];
    });
  };
  return (change) => {
    const changes = [...removed(change, known), ...added(change)];
    const toldBeside = hasInstructions ? undefined : known.first;
    if (toldBeside !== undefined && changes.length === 0) {
      // The same definition again changes nothing.
      const [wired = toldBeside] = toWire([toldBeside]);
      changes.push({ type: "tool_addition", tool: entryOf(wired) });
      if (!known.isAvailable(toldBeside.name)) changes.push({ type: "tool_removal", toolName: toldBeside.name });
    }
    return written(change, changes);
  };
}

/**
 * Late system messages that refer to tools. New tools are declared beside the first ones, which doesn't count as a change until they are
 * referred to. `undefined` if a definition has changed, if a provider's own tool is new, or as above.
 */
export function changesByReference(growing: GrowingRequest): SentForm | undefined {
  const known = new Map(growing.tools.map((tool) => [tool.name, tool]));
  const changes = changesIn(growing);
  const laterTools: ModelTool[] = [];
  for (const tool of changes.flatMap(({ offered = [] }) => offered)) {
    const declared = known.get(tool.name);
    if (declared !== undefined && !isSameTool(declared, tool)) return undefined;
    // A provider's own tool can't be declared for later.
    if (declared === undefined && tool.providerTool !== undefined) return undefined;
    if (declared === undefined) laterTools.push(tool);
    known.set(tool.name, tool);
  }
  const changesTextAlone = ({ offered = [], withdrawn = [] }: ChangeEntry): boolean => offered.length + withdrawn.length === 0;
  if (growing.messages[0]?.role !== "system" && changes.some(changesTextAlone)) return undefined;
  return { ...growing, laterTools, changeWriter: () => writerByReference(growing.tools) };
}

function writerByReference(tools: readonly ModelTool[]): ChangeWriter {
  const known = new KnownTools(tools);
  return (change) => {
    const additions = (change.offered ?? []).flatMap((tool): ToolChange[] => {
      if (known.isAvailable(tool.name)) return [];
      known.add(tool);
      return [{ type: "tool_addition", toolName: tool.name }];
    });
    return written(change, [...removed(change, known), ...additions]);
  };
}

const removed = ({ withdrawn = [] }: ChangeEntry, known: KnownTools): ToolChange[] =>
  withdrawn.filter((name) => known.remove(name)).map((toolName) => ({ type: "tool_removal", toolName }));

function written({ instructions }: ChangeEntry, toolChanges: readonly ToolChange[]): AiSdkMessage[] {
  const content = instructions === undefined ? "" : changedInstructions(instructions);
  if (content === "" && toolChanges.length === 0) return [];
  return [{ role: "system", content, ...(toolChanges.length > 0 && { providerOptions: { anthropic: { toolChanges } } }) }];
}
