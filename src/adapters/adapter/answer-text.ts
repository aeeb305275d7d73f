import { answerValue } from "../../confirmation/internal.js";
import { modelText, validateToolOutput } from "../../execution/index.js";
import { capText, defaultMaxResultBytes } from "../../execution/internal.js";
import type { ToolClass } from "../../tool/index.js";

/** What a model reads of an answer that a framework took from its client: nothing of a value that doesn't fit. Never throws. */
export function answerText(toolClass: ToolClass, callId: string, value: unknown): string {
  const { name } = toolClass.definition;
  const checked = validateToolOutput(
    toolClass,
    orNothing(() => answerValue(callId, value)),
  );
  if (!checked.ok) return `Not answered: the client gave an answer that doesn't fit: ${checked.error}.`;
  return capText(modelText({ tool: name, fetchedAt: "", data: checked.value }), defaultMaxResultBytes);
}

/** A value that JSON can't hold fits no schema. */
function orNothing(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return undefined;
  }
}
