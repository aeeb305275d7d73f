import type { ToolClass, ToolConsequence } from "../../tool/index.js";
import { isToolClass, checkOptionNames, type OptionNames } from "../../tool/internal.js";
import type { ConfirmationHandler } from "../confirmation-handler.js";
import { approve } from "../decision.js";

/** Which calls `autoApprove` approves. */
export interface AutoApproveOptions {
  /** Tools, by class or exact name. */
  readonly tools?: readonly (string | ToolClass)[];
  /** The highest `@consequence` that is approved. Default: `"medium"`. */
  readonly maxConsequence?: ToolConsequence;
}

const optionNames: OptionNames<AutoApproveOptions> = { tools: true, maxConsequence: true };

const isToolNames = (tools: unknown): boolean =>
  Array.isArray(tools) && tools.every((tool) => (typeof tool === "string" && tool !== "") || isToolClass(tool));

const consequences: readonly ToolConsequence[] = ["low", "medium", "high"];

/**
 * Approves calls by a policy: the tools that you list, up to a consequence. Other calls go to the next handler, or to a person.
 *
 * ```ts
 * const confirm = [autoApprove({ tools: [NoteTool, "set_reminder"] }), confirmInTerminal()];
 * await agent.generate("Remind me tomorrow", { confirm });
 * ```
 *
 * If both `tools` and `maxConsequence` are given, a call must match both. A tool with consequence `high` is approved only if it is
 * listed and `maxConsequence` is `"high"`.
 *
 * Throws `TypeError` if neither is given, for an unknown consequence, and for `"high"` without `tools`. See
 * docs/04-confirmation.md.
 */
export function autoApprove(options: AutoApproveOptions): ConfirmationHandler {
  checkOptionNames(options, optionNames, "autoApprove");
  const { tools, maxConsequence } = options;
  if (tools === undefined && maxConsequence === undefined) {
    throw new TypeError(
      'autoApprove: give tools, maxConsequence or both, so that it is clear what nobody is asked about: autoApprove({ tools: [NoteTool], maxConsequence: "low" }).',
    );
  }
  if (maxConsequence !== undefined && !consequences.includes(maxConsequence)) {
    throw new TypeError(`autoApprove: maxConsequence is one of ${consequences.join(", ")}, got ${JSON.stringify(maxConsequence)}.`);
  }
  if (tools === undefined && maxConsequence === "high") {
    throw new TypeError(
      'autoApprove: maxConsequence "high" would approve every call of every tool. Name the tools: autoApprove({ tools: [TransferTool], maxConsequence: "high" }).',
    );
  }
  // A list that an environment left out would let every tool through.
  if (Object.hasOwn(options, "tools") && !isToolNames(tools)) {
    throw new TypeError('autoApprove: tools must be a list of tool classes and names: autoApprove({ tools: [NoteTool, "set_reminder"] }).');
  }
  const names = tools && new Set(tools.map((tool) => (typeof tool === "string" ? tool : tool.identifier)));
  const most = consequences.indexOf(maxConsequence ?? "medium");
  return (confirmation) => {
    const named = names?.has(confirmation.tool) ?? true;
    return named && consequences.indexOf(confirmation.consequence) <= most ? approve(confirmation) : undefined;
  };
}
