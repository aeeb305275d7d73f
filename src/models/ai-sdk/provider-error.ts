import { fieldsOf } from "../fields.js";

/** What a provider says of an error, in the object that it sends in place of an answer. */
export interface ProviderError {
  readonly message?: string;
  /** An HTTP status that the object names. */
  readonly status?: number;
  /** Its words for the kind of the error: `overloaded_error`, `RESOURCE_EXHAUSTED`, `tool_use_failed`. */
  readonly words?: readonly string[];
}

/**
 * The error in a provider's body: `{ error: { message, type, code } }` of OpenAI, Anthropic and Gemini, in a list too,
 * `{ error: "text" }` of Ollama and others, or the state of a response of OpenAI's that isn't finished well. Undefined if
 * there is none.
 */
export function errorIn(body: unknown): ProviderError | undefined {
  const { error, object, status } = fieldsOf(Array.isArray(body) ? body[0] : body);
  if (typeof error === "string" && error !== "") return { message: error };
  if (typeof error === "object" && error !== null) {
    const { message, type, code, status: word } = fieldsOf(error);
    const number = [code, word].find((value) => typeof value === "number" && value >= 400 && value < 600) as number | undefined;
    return {
      message: typeof message === "string" ? message : JSON.stringify(error).slice(0, 500),
      words: [type, code, word].filter((value) => typeof value === "string"),
      ...(number !== undefined && { status: number }),
    };
  }
  return object === "response" && (status === "failed" || status === "cancelled")
    ? { message: `the provider reports its answer as ${status}` }
    : undefined;
}

/** The value of a JSON text, or what is no text as it is; undefined for another text. */
export function parsed(body: unknown): unknown {
  if (typeof body !== "string") return body;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
