import { messageOfThrown } from "../../execution/internal.js";
import { builtin } from "../../platform/index.js";
import type { FarCall } from "../messages.js";

type ContextForm = Pick<FarCall, "context" | "withheld">;

/** The application's context as it crosses. A member that can't be copied is an error when the tool reads it: most tools read few. */
export function contextForm(toolContext: object | undefined): ContextForm {
  if (toolContext === undefined) return { context: undefined, withheld: undefined };
  try {
    return { context: builtin("node:v8").serialize({ toolContext: { ...toolContext } }), withheld: undefined };
  } catch {
    return withoutUncopied(toolContext);
  }
}

function withoutUncopied(toolContext: object): ContextForm {
  const copied: Record<string, unknown> = {};
  const withheld: Record<string, string> = {};
  for (const name of Object.keys(toolContext)) {
    try {
      const member = (toolContext as Readonly<Record<string, unknown>>)[name];
      builtin("node:v8").serialize(member);
      copied[name] = member;
    } catch (error) {
      withheld[name] = messageOfThrown(error).replaceAll(/\s+/g, " ");
    }
  }
  return { context: builtin("node:v8").serialize({ toolContext: copied }), withheld };
}
