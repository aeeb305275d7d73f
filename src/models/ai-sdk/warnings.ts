import type { AiSdkWarning } from "./language-model.js";

/** A package's warning as a sentence; the specifications name its members differently. */
export function warningText({ type, feature, setting, tool, details, message }: AiSdkWarning): string {
  const subject = feature ?? setting ?? (tool as { readonly name?: string } | undefined)?.name;
  if (subject === undefined) return message ?? details ?? type;
  const why = details ?? message;
  return why === undefined ? `${subject} is not supported` : `${subject}: ${why}`;
}
