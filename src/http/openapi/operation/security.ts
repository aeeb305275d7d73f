import { ToolDefinitionError } from "../../../tool/index.js";
import { Secret } from "../../secret.js";
import type { OpenApiAuth, OpenApiCredential } from "./credentials.js";
import { memberOf, textOf } from "../document/read-value.js";
import { isRecord } from "../../../schema/internal.js";
import type { OpenApiDocument, Part } from "../document/open-api-document.js";
import { cut, type FoundOperation } from "./operations.js";
import { Refusal } from "./operation-refusal.js";

/** The place and the form of a scheme's credential. */
export interface SchemePlace {
  /** The scheme's name in the document. */
  readonly scheme: string;
  readonly place: "header" | "query" | "cookie";
  /** The name of the header, of the query parameter or of the cookie. */
  readonly name: string;
  readonly form: "plain" | "bearer" | "basic";
}

/** Throws `ToolDefinitionError` for a scheme that the document doesn't have, and for a credential that would be written twice. */
export function checkSchemes(document: OpenApiDocument, given: OpenApiAuth): void {
  const { value } = schemesOf(document);
  const known = isRecord(value) ? Object.keys(value) : [];
  for (const [name, credential] of Object.entries(given)) {
    if (known.includes(name)) {
      refuseWritten(name, credential, placeOf(document, name)?.form);
      continue;
    }
    const there =
      known.length === 0
        ? "It has none; give what is needed by headers."
        : `It has ${known
            .slice(0, 10)
            .map((scheme) => `"${cut(scheme, 100)}"`)
            .join(", ")}${known.length > 10 ? " and more" : ""}.`;
    throw new ToolDefinitionError(`openApiToolbox: auth has "${name}", which isn't a security scheme of the document. ${there}`);
  }
}

function refuseWritten(scheme: string, credential: OpenApiCredential, form: SchemePlace["form"] | undefined): void {
  const token = typeof credential === "object" && "password" in credential ? credential.password : credential;
  if (form === undefined || form === "plain" || !(token instanceof Secret && token.isWritten)) return;
  throw new ToolDefinitionError(
    `openApiToolbox: auth.${scheme} takes the secret itself, without bearer(...) or basic(...): the document says in which form it is sent.`,
  );
}

/**
 * What an operation is authorised by: the first of its alternatives for which all credentials were given; nothing if it
 * needs none (OpenAPI 3, "Security Requirement Object"). Throws `Refusal` if one is needed and missing.
 */
export function readSecurity(document: OpenApiDocument, { part }: FoundOperation, given: ReadonlySet<string>): readonly SchemePlace[] {
  const written = memberOf(part.value, "security") ?? memberOf(document.root.value, "security");
  const requirements: readonly unknown[] = Array.isArray(written) ? written : [];
  document.work.spend(requirements.length);
  const alternatives = requirements.map((requirement) => (isRecord(requirement) ? document.work.keysOf(requirement) : []));
  for (const names of alternatives) document.work.spend(names.length);
  const chosen = alternatives.find((names) => names.length > 0 && names.every((name) => given.has(name)));
  if (chosen !== undefined) return chosen.map((name) => requirePlace(document, name));
  if (alternatives.length === 0 || alternatives.some((names) => names.length === 0)) return [];
  const listed = alternatives.slice(0, mostListed).map((names) =>
    names
      .slice(0, mostListed)
      .map((name) => describeScheme(document, name))
      .join(" and "),
  );
  throw new Refusal(`it needs ${listed.join(", or ")}${alternatives.length > mostListed ? ", or others" : ""}.`);
}

const mostListed = 5;

function describeScheme(document: OpenApiDocument, name: string): string {
  const isDefined = document.member(schemesOf(document), name).value !== undefined;
  if (!isDefined) return `${name}, which the document doesn't define: add it to the document's security schemes`;
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
  const value = placeOf(document, name)?.form === "basic" ? '{ username: "...", password: secret("...") }' : 'secret("...")';
  return `${name}, which wasn't given: auth: { ${key}: ${value} }`;
}

function requirePlace(document: OpenApiDocument, name: string): SchemePlace {
  const place = placeOf(document, name);
  if (place !== undefined) return place;
  const { value } = document.member(schemesOf(document), name);
  const kind = [memberOf(value, "type"), memberOf(value, "scheme")].filter((word) => typeof word === "string").join(" ");
  throw new Refusal(
    `its security scheme "${name}" is ${kind}; API keys, basic and bearer authorisation, OAuth 2 and OpenID Connect can be sent.`,
  );
}

/** OpenAPI 3, "Security Scheme Object", and the three kinds of OpenAPI 2.0; `undefined` for what can't be sent. */
function placeOf(document: OpenApiDocument, scheme: string): SchemePlace | undefined {
  const { value } = document.member(schemesOf(document), scheme);
  const authorization = { scheme, place: "header", name: "authorization" } as const;
  switch (memberOf(value, "type")) {
    case "apiKey": {
      const place = memberOf(value, "in");
      const name = textOf(memberOf(value, "name"));
      if (name === undefined || (place !== "header" && place !== "query" && place !== "cookie")) return undefined;
      return { scheme, place, name: place === "header" ? name.toLowerCase() : name, form: "plain" };
    }
    case "http": {
      const kind = String(memberOf(value, "scheme")).toLowerCase();
      return kind === "basic" || kind === "bearer" ? { ...authorization, form: kind } : undefined;
    }
    case "basic":
      return { ...authorization, form: "basic" };
    case "oauth2":
    case "openIdConnect":
      return { ...authorization, form: "bearer" };
    default:
      return undefined;
  }
}

const schemesOf = (document: OpenApiDocument): Part =>
  document.version === "2.0"
    ? document.member(document.root, "securityDefinitions")
    : document.member(document.member(document.root, "components"), "securitySchemes");

/** The names of the document's security schemes that have a place in a request. */
export function namedSchemes(document: OpenApiDocument): readonly string[] {
  const { value } = schemesOf(document);
  return isRecord(value) ? Object.keys(value).filter((name) => placeOf(document, name) !== undefined) : [];
}
