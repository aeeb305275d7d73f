import type { HttpMethod } from "../../http-exchange.js";
import { readAnswers } from "./answers.js";
import { type ArgumentPlan, planArguments } from "./plan-arguments.js";
import type { OpenApiDocument } from "../document/open-api-document.js";
import type { FoundOperation } from "./operations.js";
import { readRequest } from "./read-parameters.js";
import { Refusal } from "./operation-refusal.js";
import type { Parameter } from "./request-shape.js";
import type { SchemaConverter } from "../document/schema-converter.js";
import { readSecurity, type SchemePlace } from "./security.js";
import { serverOf } from "../document/servers.js";
import { isMethodOverride, isForbiddenHeader } from "./forbidden-names.js";
import { checkPath, placeholdersOf } from "../request/write-path.js";

/** All that is known about an operation before it is called. */
export interface OperationPlan extends ArgumentPlan {
  readonly method: HttpMethod;
  /** Scheme, host, and the path that the operation's own is added to. */
  readonly base: string;
  /** Whether the URL comes from the document and not from the application. */
  readonly mustBePublic: boolean;
  readonly path: string;
  readonly credentials: readonly SchemePlace[];
  /** Names of required headers, in lower case, that a function of the application is to give. */
  readonly awaitedHeaders: readonly string[];
  readonly answersHtml: boolean;
}

/** What the application gave for all operations. */
export interface Given {
  readonly baseUrl: string | undefined;
  /** Names of security schemes. */
  readonly schemes: ReadonlySet<string>;
  /** Names of headers, in lower case; `undefined` if a function of the context gives them, so that all are the application's. */
  readonly headers: ReadonlySet<string> | undefined;
}

const methods: readonly string[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] satisfies readonly HttpMethod[];

/** Those that OpenAPI 3, "Parameter Object", ignores, since they are written in any case. */
const writtenAnyway: ReadonlySet<string> = new Set(["accept", "content-type"]);

/** Throws `Refusal` if the operation can't be expressed. */
export function planOperation(
  document: OpenApiDocument,
  converter: SchemaConverter,
  operation: FoundOperation,
  given: Given,
): OperationPlan {
  const { method, path } = operation;
  if (!isMethod(method)) throw new Refusal(`its method is ${method}; ${methods.join(", ")} can be sent.`);
  const credentials = readSecurity(document, operation, given.schemes);
  const shape = readRequest(document, converter, operation);
  checkPath(path, shape.parameters);
  const placeholders = placeholdersOf(path);
  const parameters = shape.parameters.filter((parameter) => isModels(parameter, placeholders, credentials, given));
  return {
    ...planArguments({ ...shape, parameters }, converter),
    method,
    base: given.baseUrl ?? serverOf(document, operation),
    mustBePublic: given.baseUrl === undefined,
    path,
    credentials,
    awaitedHeaders: given.headers === undefined ? shape.parameters.flatMap((parameter) => awaitedHeader(parameter, credentials)) : [],
    answersHtml: readAnswers(document, operation),
  };
}

const isMethod = (method: string): method is HttpMethod => methods.includes(method);

/** Whether a parameter is the model's to give. What the application gives is not, nor what would say who asks, or ask for another thing. */
function isModels(
  { name, place, required }: Parameter,
  placeholders: ReadonlySet<string>,
  credentials: readonly SchemePlace[],
  given: Given,
): boolean {
  if (place === "path") return placeholders.has(name);
  const own = place === "header" ? name.toLowerCase() : name;
  if (isCredential(place, own, credentials)) return false;
  if (place === "cookie") return refuseRequired(required, `the cookie "${name}"`, "cookie", given);
  if (place === "query") return !isMethodOverride(name) || refuseRequired(required, `the query parameter "${name}"`, undefined, given);
  // What a function gives for one user and not for another, a model must not give in its place.
  if (given.headers === undefined || given.headers.has(own) || writtenAnyway.has(own)) return false;
  return !isForbiddenHeader(name) || refuseRequired(required, `the header "${name}"`, own, given);
}

/** A parameter that no model may choose: left out if it is optional, or if the application gives the `header` that carries it. */
function refuseRequired(required: boolean, what: string, header: string | undefined, given: Given): false {
  if (!required || (header !== undefined && (given.headers === undefined || given.headers.has(header)))) return false;
  const fix = header === undefined ? "Write a tool of your own for it." : `Give it: headers: { ${JSON.stringify(header)}: secret("...") }.`;
  throw new Refusal(`it requires ${what}, which no model may choose. ${fix}`);
}

function awaitedHeader({ name, place, required }: Parameter, credentials: readonly SchemePlace[]): readonly string[] {
  if (!required || (place !== "header" && place !== "cookie")) return [];
  const own = place === "header" ? name.toLowerCase() : name;
  if (isCredential(place, own, credentials)) return [];
  if (place === "cookie") return ["cookie"];
  return writtenAnyway.has(own) ? [] : [own];
}

const isCredential = (place: Parameter["place"], name: string, credentials: readonly SchemePlace[]): boolean =>
  credentials.some((credential) => credential.place === place && credential.name === name);
