import { textTypes } from "../../../net/index.js";
import type { ToolContext } from "../../../tool/index.js";
import { dataOf, exchange } from "../../http-exchange.js";
import type { HttpHeaders } from "../../headers.js";
import { HttpError } from "../../http-error.js";
import { type OpenApiAuth, readCredentials } from "../operation/credentials.js";
import { decoded, memberOf } from "../document/read-value.js";
import { isInsideBase } from "./inside-base.js";
import type { OperationPlan } from "../operation/operation-plan.js";
import type { Parameter } from "../operation/request-shape.js";
import { isMethodOverride } from "../operation/forbidden-names.js";
import { writeBody } from "./write-body.js";
import { writeInHeader, writePairs } from "./parameter-text.js";
import { writePath } from "./write-path.js";

/** What the application adds to every request. */
export interface CallSettings {
  readonly auth: OpenApiAuth;
  readonly headers: HttpHeaders;
}

interface Given {
  readonly argument: string;
  readonly parameter: Parameter;
  readonly value: unknown;
}

/** One call of an operation. */
interface Call {
  readonly plan: OperationPlan;
  readonly auth: OpenApiAuth;
  readonly context: ToolContext;
  /** What was given for the parameters: those that are absent or null aren't sent. */
  readonly given: readonly Given[];
}

/** Sends one call of an operation; what comes back is the answer's JSON or text. */
export async function callOperation(
  plan: OperationPlan,
  { auth, headers }: CallSettings,
  values: Readonly<Record<string, unknown>>,
  context: ToolContext,
): Promise<unknown> {
  const given = plan.parameters
    .map(({ argument, parameter }): Given => ({ argument, parameter, value: memberOf(values, argument) }))
    .filter(({ value }) => value !== undefined && value !== null);
  const call: Call = { plan, auth, context, given };
  const body = plan.body === undefined ? undefined : writeBody(plan.body, values);
  const ofModel = inPlace(call, "header").map(({ parameter, value }) => [parameter.name, writeInHeader(value, parameter.format)]);
  const answer = await exchange(
    {
      method: plan.method,
      origin: new URL(plan.base).origin,
      mustBePublic: plan.mustBePublic,
      url: await urlOf(call),
      headers: [Object.fromEntries(ofModel), () => ownHeaders(call), complete(headers, plan.awaitedHeaders)],
      ...(body === undefined ? {} : { body: body.content, contentType: body.contentType }),
      ...(plan.answersHtml ? { contentTypes: textTypes } : {}),
    },
    context,
  );
  return dataOf(answer);
}

/** A function's headers, all of the awaited ones among them. */
function complete(headers: HttpHeaders, awaited: readonly string[]): HttpHeaders {
  if (typeof headers !== "function" || awaited.length === 0) return headers;
  return async (context) => {
    const values = await headers(context);
    const given = new Set(Object.keys(values).flatMap((name) => (values[name] === undefined ? [] : [name.toLowerCase()])));
    const missing = awaited.find((name) => !given.has(name));
    if (missing === undefined) return values;
    throw new HttpError(
      `The request wasn't sent: it needs the header "${missing}", and the application has no value for this user. Tell the user.`,
    );
  };
}

const inPlace = ({ given }: Call, place: Parameter["place"]): readonly Given[] =>
  given.filter(({ parameter }) => parameter.place === place);

/** Some documents write a part of the query into the path, or distinguish operations of one path by a fragment. */
async function urlOf(call: Call): Promise<string> {
  const [path = "", ofPath = ""] = (call.plan.path.split("#")[0] ?? "").split("?");
  const query = [ofPath, await queryOf(call)].filter((part) => part !== "").join("&");
  const url = `${call.plan.base}${writePath(path, inPlace(call, "path"))}`;
  if (!isInsideBase(url, call.plan.base)) {
    throw new HttpError(`The request wasn't sent: it would have left ${call.plan.base}. Change the arguments.`);
  }
  return `${url}${query === "" ? "" : `?${query}`}`;
}

/** The credentials, and the cookies that are credentials. */
async function ownHeaders({ plan, auth, context }: Call): Promise<Readonly<Record<string, string>>> {
  const headers = Object.fromEntries(await readCredentials(plan.credentials, "header", auth, context));
  const cookies = await readCredentials(plan.credentials, "cookie", auth, context);
  return cookies.length === 0 ? headers : { ...headers, cookie: cookies.map((pair) => pair.join("=")).join("; ") };
}

/** An argument that writes any names (an object whose members are parameters) writes neither those of a credential nor another method. */
async function queryOf(call: Call): Promise<string> {
  const credentials = await readCredentials(call.plan.credentials, "query", call.auth, call.context);
  const own = new Set(credentials.map(([name]) => name));
  const given = inPlace(call, "query").flatMap(({ parameter, value }) => writePairs(parameter.name, value, parameter.format));
  const allowed = given.filter(([name]) => !own.has(name) && !isMethodOverride(decoded(name)));
  return [...allowed, ...credentials].map((pair) => pair.join("=")).join("&");
}
