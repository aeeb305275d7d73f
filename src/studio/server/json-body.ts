import { isRecord } from "../../schema/internal.js";
import { type BodyIntake, WebRequestError } from "../../web/internal.js";

/** A JSON object that was sent. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The JSON object of a request's body. Throws `WebRequestError` for anything else. */
export async function readJson(request: Request, intake: BodyIntake): Promise<JsonObject> {
  if (!/^application\/json\b/.test(request.headers.get("content-type") ?? "")) {
    throw new WebRequestError(415, "Send the body as application/json.");
  }
  const text = await intake.read(request);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new WebRequestError(400, `The body isn't JSON: ${(error as Error).message}`);
  }
  if (isRecord(value)) return value;
  throw new WebRequestError(400, "The body must be a JSON object.");
}

/** A member of a body that must be an object. Absent: empty. */
export function objectOf(body: JsonObject, name: string): Record<string, unknown> {
  const value = body[name];
  if (value === undefined) return {};
  if (isRecord(value)) return { ...value };
  throw new WebRequestError(400, `"${name}" must be a JSON object.`);
}

/** A member of a body that must be a text. */
export function textOf(body: JsonObject, name: string): string {
  const value = body[name];
  if (typeof value === "string") return value;
  throw new WebRequestError(400, `"${name}" must be a string.`);
}
