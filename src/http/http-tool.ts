import { Tool, type ToolClass, type ToolContext, ToolDefinitionError } from "../tool/index.js";
import { type DefinitionCompletion, nameOf, settingListOf, writeSettings } from "../tool/internal.js";
import type { ArgumentValues } from "./build-request.js";
import { checkOptions, type HttpOptions, mergeOptions } from "./http-options.js";
import { policyOfMethod } from "./policy-of-method.js";
import { planRequest, type RequestPlan } from "./request-plan.js";
import { send } from "./send.js";

/**
 * The base class of tools that make one HTTP request. `@http` describes the request; parameters fill it; the response is the
 * result.
 *
 * - the class:
 *   `@http({ method: "GET", url: "https://api.example.com/orders/{orderNumber}" }) class GetOrderTool extends HttpTool {}`
 * - a field: `@required(String, "The order's number, as printed on the invoice") orderNumber!: string;`
 *
 * Arguments are encoded: they can't change scheme, host, port or path segment. Override `call` to change the arguments before
 * `super.call(context)`, or the result after it. See docs/08-http-tools.md.
 */
export abstract class HttpTool extends Tool {
  /** Makes the request and returns the response. Throws `HttpError`, `NetworkError`, or the reason of the context's `abortSignal`. */
  async call(context: ToolContext): Promise<unknown> {
    const { plan, places } = callOf(this.constructor as ToolClass);
    const values: Record<string, unknown> = {};
    for (const [name, place] of places) values[name] = valueAt(this, place);
    return send(plan, values, context);
  }
}

interface HttpCall {
  readonly plan: RequestPlan;
  /** By parameter, the properties that lead to its value in an instance. */
  readonly places: ReadonlyMap<string, readonly string[]>;
}

const calls = new WeakMap<ToolClass, HttpCall>();

function callOf(toolClass: ToolClass): HttpCall {
  const known = calls.get(toolClass);
  if (known !== undefined) return known;
  // An instance that was made without anybody's looking at its class.
  void toolClass.definition;
  return calls.get(toolClass) as HttpCall;
}

const valueAt = (instance: object, place: readonly string[]): unknown =>
  place.reduce<unknown>((holder, name) => (holder as ArgumentValues | undefined)?.[name], instance);

const optionsOf = (toolClass: ToolClass): readonly HttpOptions[] => settingListOf(toolClass, "http") as readonly HttpOptions[];

const completion: DefinitionCompletion = {
  defaults(toolClass, { category }) {
    const { method } = mergeOptions(optionsOf(toolClass));
    // A declared category takes precedence over the method, also for repetition.
    return method === undefined || category !== undefined ? {} : policyOfMethod(method);
  },
  check(toolClass, { parametersSchema }, places) {
    const owner = nameOf(toolClass);
    const written = optionsOf(toolClass);
    if (written.length === 0) {
      throw new ToolDefinitionError(
        `${owner}: no @http says what to ask. Write @http({ method: "GET", url: "https://..." }) above the class.`,
      );
    }
    for (const options of written) checkOptions(options, `${owner}: @http`);
    for (const name of Object.keys(parametersSchema.properties ?? {})) {
      if (places.has(name)) continue;
      throw new ToolDefinitionError(
        `${owner}.${name}: a request is filled from fields. Make this parameter of call one: @required(...) ${name}!: ...`,
      );
    }
    calls.set(toolClass, { plan: planRequest(mergeOptions(written), parametersSchema, owner), places });
  },
};
writeSettings({ completion })(HttpTool);
