import { describeValue } from "../../schema/internal.js";
import { ToolDefinitionError } from "../tool-errors.js";
import type { ToolDefinition } from "../tool-definition.js";

/** What a tool has besides its settings. */
interface ToolParts {
  /** How the author wrote its code. */
  readonly body: string;
  readonly hasBody: boolean;
  readonly hasOutput: boolean;
}

/**
 * The members of the definition of a tool that is answered elsewhere; nothing for other tools. Its calls always wait for somebody, so that each
 * door stops them that stops calls for a confirmation.
 */
export function answeredIn(
  written: Readonly<Record<string, unknown>>,
  owner: string,
  { body, hasBody, hasOutput }: ToolParts,
): Pick<ToolDefinition, "answeredBy" | "requiresConfirmation"> | undefined {
  const { answeredBy, requiresConfirmation = false } = written;
  if (answeredBy === undefined) return undefined;
  if (answeredBy !== "client") {
    throw new ToolDefinitionError(`${owner}: answeredBy must be "client", got ${describeValue(answeredBy)}. Write @answeredBy("client").`);
  }
  if (hasBody) {
    throw new ToolDefinitionError(
      `${owner}: it has answeredBy and ${body}, but a call is either answered by the client or run here. Remove one of them.`,
    );
  }
  if (!hasOutput) {
    throw new ToolDefinitionError(
      `${owner}: a tool that is answered by the client needs the type of the answer, which is validated. Add @returns(String).`,
    );
  }
  if (requiresConfirmation !== false) {
    throw new ToolDefinitionError(
      `${owner}: it has answeredBy and requiresConfirmation, but the person who answers a call decides about it already. Remove requiresConfirmation.`,
    );
  }
  return { answeredBy, requiresConfirmation: true };
}
