import { textTypes } from "../../net/index.js";
import type { ToolContext } from "../../tool/index.js";
import { dataOf, exchange } from "../exchange.js";
import type { HttpHeaders } from "../headers.js";
import { type OpenApiAuth, readCredentials } from "./credentials.js";
import { memberOf } from "./foreign.js";
import type { OperationPlan } from "./operation-plan.js";
import type { Parameter } from "./request-shape.js";
import { writeBody } from "./write-body.js";
import { type Pair, writeInHeader, writePairs } from "./write-parameter.js";
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

/** Sends one call of an operation; what comes back is the answer's JSON or text. */
export async function callOperation(
  plan: OperationPlan,
  settings: CallSettings,
  values: Readonly<Record<string, unknown>>,
  context: ToolContext,
): Promise<unknown> {
  const given = plan.parameters
    .map(({ argument, parameter }): Given => ({ argument, parameter, value: memberOf(values, argument) }))
    .filter(({ value }) => value !== undefined && value !== null);
  const inPlace = (place: Parameter["place"]): readonly Given[] => given.filter(({ parameter }) => parameter.place === place);
  const pairsIn = (place: "query" | "cookie"): readonly Pair[] =>
    inPlace(place).flatMap(({ parameter, value }) => writePairs(parameter.name, value, parameter.format));

  const [path = "", fixedQuery = ""] = (plan.path.split("#")[0] ?? "").split("?");
  const secretQuery = await readCredentials(plan.credentials, "query", settings.auth, context);
  const query = joined(pairsIn("query"), secretQuery, "&");
  const allQuery = [fixedQuery, query].filter((part) => part !== "").join("&");
  const ofModel = Object.fromEntries(
    inPlace("header").map(({ parameter, value }) => [parameter.name, writeInHeader(value, parameter.format)]),
  );
  const ofApplication = async (): Promise<Readonly<Record<string, string>>> => {
    const cookies = joined(pairsIn("cookie"), await readCredentials(plan.credentials, "cookie", settings.auth, context), "; ");
    const headers = Object.fromEntries(await readCredentials(plan.credentials, "header", settings.auth, context));
    return cookies === "" ? headers : { ...headers, cookie: cookies };
  };
  const body = plan.body === undefined ? undefined : writeBody(plan.body, values);

  const answer = await exchange(
    {
      method: plan.method,
      origin: new URL(plan.base).origin,
      mustBePublic: plan.mustBePublic,
      url: `${plan.base}${writePath(path, inPlace("path"))}${allQuery === "" ? "" : `?${allQuery}`}`,
      headers: [ofModel, ofApplication, settings.headers],
      ...(body === undefined ? {} : { body: body.content, contentType: body.contentType }),
      ...(plan.answersHtml ? { contentTypes: textTypes } : {}),
    },
    context,
  );
  return dataOf(answer);
}

/** An argument that writes any names (an object whose members are parameters) doesn't write those of a credential. */
function joined(pairs: readonly Pair[], credentials: readonly Pair[], delimiter: string): string {
  const own = new Set(credentials.map(([name]) => name));
  return [...pairs.filter(([name]) => !own.has(name)), ...credentials].map((pair) => pair.join("=")).join(delimiter);
}
