import { memberOf, textsOf } from "../document/read-value.js";
import type { OpenApiDocument } from "../document/open-api-document.js";
import type { FoundOperation } from "./operations.js";
import { Refusal } from "./operation-refusal.js";

const readable =
  /[/+](json|xml|yaml|x-yaml|x-ndjson)\b|^text\/|^image\/(png|jpe?g|gif|webp|\*)|^application\/pdf|^\*\/\*$|^application\/\*$/i;

/** Whether an operation says that it answers with HTML. Throws `Refusal` if it answers with nothing that a model can read. */
export function readAnswers(document: OpenApiDocument, operation: FoundOperation): boolean {
  const types = typesOf(document, operation);
  if (types.length > 0 && !types.some((type) => readable.test(type))) {
    throw new Refusal(`it answers with ${types.join(" or ")}; a model can be given JSON, text, images and PDFs.`);
  }
  return types.some((type) => /^text\/html\b/i.test(type));
}

/** What answers of success may be, by the document. */
function typesOf(document: OpenApiDocument, { part }: FoundOperation): readonly string[] {
  const responses = [...document.members(document.member(part, "responses"))].filter(([status]) => /^2/.test(status));
  if (document.version === "2.0") {
    if (!responses.some(([, response]) => memberOf(response.value, "schema") !== undefined)) return [];
    const own = textsOf(memberOf(part.value, "produces"));
    return own.length > 0 ? own : textsOf(memberOf(document.root.value, "produces"));
  }
  return responses.flatMap(([, response]) => [...document.members(document.member(response, "content"))].map(([type]) => type));
}
