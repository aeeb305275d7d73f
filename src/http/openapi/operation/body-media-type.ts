import { Refusal } from "./operation-refusal.js";
import type { RequestBody } from "./request-shape.js";

type Kind = RequestBody["kind"];

/** In order of preference, if a document offers several. */
const kinds: readonly (readonly [Kind, RegExp])[] = [
  ["json", /^(application|text)\/([\w.+-]+\+)?json$|^(application|\*)\/\*$/],
  ["form", /^application\/x-www-form-urlencoded$/],
  ["multipart", /^multipart\/form-data$/],
  ["text", /^text\//],
  ["file", /^(application\/(octet-stream|pdf|zip|gzip)|(image|audio|video|font)\/.*)$/],
];

export const essenceOf = (type: string): string => (type.split(";")[0] ?? "").trim().toLowerCase();

/** The way to send a body, out of what a document offers. Throws `Refusal` if none can be sent. */
export function chooseType(types: readonly string[]): { readonly kind: Kind; readonly type: string } {
  for (const [kind, pattern] of kinds) {
    const type = types.find((written) => pattern.test(essenceOf(written)));
    if (type !== undefined) return { kind, type };
  }
  throw new Refusal(`its body is ${types.join(" or ")}; JSON, forms, multipart/form-data, text and files can be sent.`);
}

/** What `content-type` says; `image/*` and the like are no types to send. */
export function sentType(kind: Kind, type: string): string {
  if (kind === "multipart") return "multipart/form-data";
  if (!type.includes("*")) return type;
  return kind === "json" ? "application/json" : kind === "text" ? "text/plain" : "application/octet-stream";
}
