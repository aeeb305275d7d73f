import type { ToolClass, ConsequenceLevel } from "../../tool/index.js";
import { isMeant, isToolClass, checkOptionNames, type OptionNames } from "../../tool/internal.js";
import type { Confirmation } from "../confirmation.js";
import type { ConfirmationHandler } from "../confirmation-handler.js";
import { isQuestion } from "../question.js";
import { approve } from "../decision.js";

/** Which calls `autoApprove` approves. */
export interface AutoApproveOptions {
  /** Tools, by class or exact name. A class means its tool under every name that a registry gives it. */
  readonly tools?: readonly (string | ToolClass)[];
  /** The highest `@consequenceLevel` that is approved. Default: `"medium"`. */
  readonly maxConsequenceLevel?: ConsequenceLevel;
}

const optionNames: OptionNames<AutoApproveOptions> = { tools: true, maxConsequenceLevel: true };

const isToolNames = (tools: unknown): boolean =>
  Array.isArray(tools) && tools.every((tool) => (typeof tool === "string" && tool !== "") || isToolClass(tool));

const consequences: readonly ConsequenceLevel[] = ["low", "medium", "high"];

/**
 * Approves calls by a policy: the tools that you list, up to a consequence. Other calls go to the next handler, or to a person.
 *
 * ```ts
 * const confirm = [autoApprove({ tools: [NoteTool, "set_reminder"] }), confirmInTerminal()];
 * await agent.generate("Remind me tomorrow", { confirm });
 * ```
 *
 * If both `tools` and `maxConsequenceLevel` are given, a call must match both. A tool with consequence `high` is approved only if it is
 * listed and `maxConsequenceLevel` is `"high"`. A call whose outcome isn't known (`confirmation.outcomeUnknown`) is never approved.
 *
 * Throws `TypeError` if neither is given, for an unknown consequence, and for `"high"` without `tools`. See
 * docs/04-confirmation.md.
 */
export function autoApprove(options: AutoApproveOptions): ConfirmationHandler {
  checkOptionNames(options, optionNames, "autoApprove");
  const { tools, maxConsequenceLevel } = options;
  if (tools === undefined && maxConsequenceLevel === undefined) {
    throw new TypeError(
      'autoApprove: give tools, maxConsequenceLevel or both, so that it is clear which calls are approved: autoApprove({ tools: [NoteTool], maxConsequenceLevel: "low" }).',
    );
  }
  if (maxConsequenceLevel !== undefined && !consequences.includes(maxConsequenceLevel)) {
    throw new TypeError(
      `autoApprove: maxConsequenceLevel is one of ${consequences.join(", ")}, got ${JSON.stringify(maxConsequenceLevel)}.`,
    );
  }
  if (tools === undefined && maxConsequenceLevel === "high") {
    throw new TypeError(
      'autoApprove: maxConsequenceLevel "high" would approve every call of every tool. Name the tools: autoApprove({ tools: [TransferTool], maxConsequenceLevel: "high" }).',
    );
  }
  // A list that an environment left out would let every tool through.
  if (Object.hasOwn(options, "tools") && !isToolNames(tools)) {
    throw new TypeError('autoApprove: tools must be a list of tool classes and names: autoApprove({ tools: [NoteTool, "set_reminder"] }).');
  }
  // A copy: the list may change later.
  const listed = tools && [...tools];
  const most = consequences.indexOf(maxConsequenceLevel ?? "medium");
  return (confirmation, { definition }) => {
    // A policy can't find out whether the call took effect, and knows no answers.
    if (confirmation.outcomeUnknown === true || isQuestion(confirmation)) return undefined;
    const isCalled = (tool: string | ToolClass): boolean =>
      definition === undefined ? isShown(tool, confirmation) : isMeant(tool, definition);
    return (listed === undefined || listed.some(isCalled)) && consequences.indexOf(confirmation.consequenceLevel) <= most
      ? approve(confirmation)
      : undefined;
  };
}

/** Whether a confirmation alone shows that its call is one of the tool. Another class may have the same name. */
function isShown(tool: string | ToolClass, confirmation: Confirmation): boolean {
  if (typeof tool === "string") return tool === confirmation.tool;
  const { name, description, category } = tool.definition;
  return name === confirmation.tool && description === confirmation.description && category === confirmation.category;
}
