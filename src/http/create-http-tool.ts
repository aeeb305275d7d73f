import { createTool, json, type ToolClass, type ToolConfig, ToolDefinitionError, type FlexibleSchema, text } from "../tool/index.js";
import { insteadOfName, policyNames } from "../tool/internal.js";
import type { ArgumentValues } from "./build-request.js";
import { checkOptions, type HttpOptions, httpOptionNames, mergeOptions } from "./http-options.js";
import { policyOfMethod } from "./policy-of-method.js";
import { planRequest, type RequestPlan } from "./request-plan.js";
import { send } from "./send.js";

/** Options of `createHttpTool`: those of `createTool`, with a request instead of `execute`. See docs/08-http-tools.md. */
export type HttpToolConfig<Schema extends FlexibleSchema = FlexibleSchema> = Omit<ToolConfig<Schema>, "execute"> & HttpOptions;

const configNames: readonly string[] = [
  ...["name", "description", "inputSchema", "outputSchema", "examples"],
  ...policyNames,
  ...httpOptionNames,
];

/**
 * Makes an HTTP tool from a JSON Schema or a Standard Schema, without a class.
 *
 * ```ts
 * const GetOrder = createHttpTool({
 *   name: "get_order",
 *   description: "Gets one order by its number. Use when the user names an order.",
 *   inputSchema: { type: "object", properties: { orderNumber: { type: "string" } }, required: ["orderNumber"] },
 *   method: "GET",
 *   url: "https://api.example.com/orders/{orderNumber}",
 * });
 * ```
 *
 * Throws `ToolDefinitionError` if an option is invalid. See docs/08-http-tools.md.
 */
export function createHttpTool<const Schema extends FlexibleSchema>(config: HttpToolConfig<Schema>): ToolClass {
  const owner = `createHttpTool "${config.name}"`;
  const isOption = ([name]: readonly [string, unknown]): boolean => httpOptionNames.includes(name);
  const misspelt = Object.keys(config).find((name) => !configNames.includes(name));
  if (misspelt !== undefined) {
    throw new ToolDefinitionError(`${owner}: unknown option "${misspelt}". ${insteadOfName(misspelt, configNames)}`);
  }
  const entries = Object.entries(config);
  const options = Object.fromEntries(entries.filter(isOption));
  checkOptions(options, owner);
  const { method, category } = config;
  let plan: RequestPlan;
  const tool = createTool({
    ...(method === undefined || category !== undefined ? {} : policyOfMethod(method)),
    // The rest of the config is what `createTool` takes.
    ...(Object.fromEntries(entries.filter((entry) => !isOption(entry))) as unknown as Omit<ToolConfig, "execute">),
    execute: async (input, context) => {
      const data = await send(plan, input as ArgumentValues, context);
      // As it is: an answer of the shape of a `Result` is no `Result`.
      return typeof data === "string" ? text(data) : json(data);
    },
  });
  plan = planRequest(mergeOptions([options]), tool.definition.parametersSchema, owner);
  return tool;
}
