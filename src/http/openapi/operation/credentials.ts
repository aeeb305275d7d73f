import { type ToolContext, ToolDefinitionError } from "../../../tool/index.js";
import { HttpError } from "../../http-error.js";
import { Secret } from "../../secret.js";
import { memberOf } from "../document/read-value.js";
import type { SchemePlace } from "./security.js";
import { encode, type Pair } from "../request/parameter-text.js";

/** A credential for a security scheme: a secret, a user name and password, or a function of the context if each user has a token. */
export type OpenApiCredential =
  | Secret
  | { readonly username: string; readonly password: Secret }
  | ((context: ToolContext) => string | Promise<string>);

/** Credentials by the name of the security scheme in the document: `{ bearerAuth: secret("ORDERS_TOKEN") }`. */
export type OpenApiAuth = Readonly<Record<string, OpenApiCredential>>;

/** Throws `ToolDefinitionError` for a value that can't be a credential, and never quotes it. */
export function checkCredentials(auth: OpenApiAuth): void {
  for (const [scheme, credential] of Object.entries(auth)) {
    if (credential instanceof Secret || typeof credential === "function") continue;
    if (typeof memberOf(credential, "username") === "string" && memberOf(credential, "password") instanceof Secret) continue;
    throw new ToolDefinitionError(
      `openApiToolbox: auth.${scheme} must be secret("VARIABLE"), { username: "...", password: secret("VARIABLE") } or a function of the context, got ${typeof credential}.`,
    );
  }
}

/** The values of an operation's credentials, as the places of one kind take them. */
export async function readCredentials(
  places: readonly SchemePlace[],
  place: SchemePlace["place"],
  auth: OpenApiAuth,
  context: ToolContext,
): Promise<readonly Pair[]> {
  const wanted = places.filter((candidate) => candidate.place === place);
  return Promise.all(
    wanted.map(async ({ scheme, name, form }): Promise<Pair> => {
      const value = written(form, await valueOf(scheme, auth[scheme], context));
      return place === "header" ? [name, value] : [encode(name), encode(value)];
    }),
  );
}

interface CredentialValue {
  readonly username?: string;
  readonly value: string;
}

async function valueOf(scheme: string, credential: OpenApiCredential | undefined, context: ToolContext): Promise<CredentialValue> {
  if (credential instanceof Secret) return { value: await credential.read() };
  if (typeof credential === "object") return { username: credential.username, value: await credential.password.read() };
  const value = await credential?.(context);
  if (typeof value === "string" && value !== "") return { value };
  throw new HttpError(`The request wasn't sent: the application has no credentials of this user for "${scheme}". Tell the user.`);
}

/** Without a user, a basic credential is `user:password` as a whole. */
function written(form: SchemePlace["form"], { username, value }: CredentialValue): string {
  if (form === "bearer") return `Bearer ${value}`;
  if (form === "plain") return value;
  return `Basic ${Buffer.from(username === undefined ? value : `${username}:${value}`).toString("base64")}`;
}
