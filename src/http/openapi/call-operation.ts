import { textTypes } from "../../net/index.js";
import type { ToolContext } from "../../tool/index.js";
import { dataOf, exchange } from "../exchange.js";
import type { HttpHeaders } from "../headers.js";
import { HttpError } from "../http-error.js";
import { type OpenApiAuth, readCredentials } from "./credentials.js";
import { memberOf } from "./foreign.js";
import type { OperationPlan } from "./operation-plan.js";
import type { Parameter } from "./request-shape.js";
import { writeBody } from "./write-body.js";
import { writeInHeader, writePairs } from "./write-parameter.js";
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
      `The request wasn't sent: it needs the header "${missing}", which the application has none of for this user. Tell the user.`,
    );
  };
}

const inPlace = ({ given }: Call, place: Parameter["place"]): readonly Given[] =>
  given.filter(({ parameter }) => parameter.place === place);

/** Some documents write a part of the query into the path, or tell operations of one path apart by a fragment. */
async function urlOf(call: Call): Promise<string> {
  const [path = "", ofPath = ""] = (call.plan.path.split("#")[0] ?? "").split("?");
  const query = [ofPath, await pairsIn(call, "query", "&")].filter((part) => part !== "").join("&");
  return `${call.plan.base}${writePath(path, inPlace(call, "path"))}${query === "" ? "" : `?${query}`}`;
}

/** The credentials, and the cookies, which may hold one. */
async function ownHeaders(call: Call): Promise<Readonly<Record<string, string>>> {
  const headers = Object.fromEntries(await readCredentials(call.plan.credentials, "header", call.auth, call.context));
  const cookie = await pairsIn(call, "cookie", "; ");
  return cookie === "" ? headers : { ...headers, cookie };
}

/** An argument that writes any names (an object whose members are parameters) doesn't write those of a credential. */
async function pairsIn(call: Call, place: "query" | "cookie", delimiter: string): Promise<string> {
  const credentials = await readCredentials(call.plan.credentials, place, call.auth, call.context);
  const own = new Set(credentials.map(([name]) => name));
  const given = inPlace(call, place).flatMap(({ parameter, value }) => writePairs(parameter.name, value, parameter.format));
  return [...given.filter(([name]) => !own.has(name)), ...credentials].map((pair) => pair.join("=")).join(delimiter);
}
