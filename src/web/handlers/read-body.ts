import { isRecord } from "../../schema/internal.js";
import type { JsonObject } from "../json-object.js";
import { refuseForeignPage } from "./foreign-page.js";
import type { BodyIntake } from "./body-intake.js";
import { WebRequestError } from "../web-request-error.js";

/** What a body may be sent as. */
export type BodyType = "application/json" | "application/x-www-form-urlencoded";

/** The most bytes of a body, unless the application says more: pages send images in it. */
export const defaultBodyLimit = 4 * 1024 * 1024;

/**
 * The body of a POST: a JSON object, or the fields of a form. Throws `WebRequestError`: 405 for another method, 415 for another type, 403
 * for a form of another site, and the errors of the intake: 413, 408, 503, and 400 for an unreadable body.
 */
export async function readBody(request: Request, types: readonly BodyType[], intake: BodyIntake): Promise<JsonObject> {
  if (request.method !== "POST") throw new WebRequestError(405, `Use POST here, not ${request.method}.`, { allow: "POST" });
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  const accepted = types.find((one) => one === type);
  if (accepted === undefined) {
    throw new WebRequestError(415, `Send the body as ${types.join(" or ")}, got ${type === "" ? "no content-type" : `"${type}"`}.`);
  }
  refuseForeignPage(request, accepted);
  const text = await intake.read(request);
  return accepted === "application/json" ? readJson(text) : Object.fromEntries(new URLSearchParams(text));
}

function readJson(text: string): JsonObject {
  if (text === "") {
    throw new WebRequestError(400, "The body is empty. Send a JSON object.");
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // The reason quotes what the sender wrote.
    throw new WebRequestError(400, `The body isn't JSON: ${(error as SyntaxError).message}`);
  }
  if (isRecord(value)) return value;
  throw new WebRequestError(400, "The body must be a JSON object.");
}
