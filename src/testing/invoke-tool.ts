import { type AcceptedContext, asTool, checkOptionNames, type OptionNames, planOf } from "../tool/internal.js";
import { type Container, createRunScope, PreparedCall, ToolExecutor, toToolError } from "../execution/index.js";
import { currentContainer, valueForCode } from "../execution/internal.js";
import { type ToolCallInput, type ToolCallOutput, type ToolClass, ToolInputValidationError, type ToolListener } from "../tool/index.js";
import { ServiceList } from "./service-list.js";
import { type ToolStub, withStubs } from "./stub-tool.js";

/** Options of `invokeTool`. See docs/06-testing.md. */
export interface InvokeOptions {
  /** The application's context, as `toolContext` of `generate`. */
  readonly context?: AcceptedContext;
  /**
   * Constructor arguments of the tool and of tools that it calls: matched by type, else in order. Default: the container given to
   * `useContainer` creates them.
   */
  readonly services?: readonly unknown[];
  /** Replace tools that this one calls; they needn't be in its `@dependsOn`. */
  readonly stubs?: readonly ToolStub[];
  /** Receive the events of the call, and what the tool reports with `context.progress` and `context.log`. */
  readonly listeners?: readonly ToolListener[];
  /** Cancels the call. */
  readonly abortSignal?: AbortSignal;
  /** The answer to a call of a tool with `@answeredBy`: it is checked as the result. */
  readonly answer?: unknown;
}

/**
 * Runs one tool in a test as an agent would, and returns its data. Arguments are validated and get defaults; confirmation counts as
 * given.
 *
 * ```ts
 * const weather = { fetch: async () => "Sunny" };
 * expect(await invokeTool(WeatherTool, { city: "Paris" }, { services: [weather] })).toBe("Sunny");
 * await expect(invokeTool(WeatherTool, {})).rejects.toThrow("city is required");
 * ```
 *
 * Timeout, output checks and `@access` apply; arguments aren't repaired. Throws the errors of `ToolExecutor.run`, such as
 * `ToolInputValidationError`, `ToolTimeoutError`, and `ToolExecutionError` with the tool's own error as `cause`. See
 * docs/06-testing.md.
 */
export async function invokeTool<Type extends ToolClass>(
  toolClass: Type,
  // None of the fields must be there.
  input: ToolCallInput<Type> = {} as ToolCallInput<Type>,
  options: InvokeOptions = {},
): Promise<ToolCallOutput<Type>> {
  const { name } = asTool(toolClass, "invokeTool").definition;
  checkOptionNames(options, optionNames, "invokeTool");
  const { context, services, stubs = [], listeners = [], abortSignal, answer } = options;
  const executor = new ToolExecutor({
    tools: [toolClass, ...stubs.map(({ tool }) => tool)],
    maxResultBytes: Number.POSITIVE_INFINITY,
    container: withStubs(stubs, containerOf(services)),
    listeners,
  });
  const scope = createRunScope({
    ...(context !== undefined && { toolContext: context }),
    ...(abortSignal !== undefined && { abortSignal }),
  });
  const prepared = await executor.prepare({ id: "call_1", name, arguments: input }, scope);
  // What goes before validation comes first, as in any call.
  if (!(prepared instanceof PreparedCall) && prepared.errorType !== "validation_error") throw toToolError(prepared);
  const reading = await planOf(toolClass).readInput(input, { owned: false, repair: false });
  if (!reading.ok) throw new ToolInputValidationError(name, reading.error);
  if (prepared instanceof PreparedCall) {
    prepared.requiresConfirmation = false;
    if (prepared.definition.answeredBy !== undefined && answer !== undefined) prepared.answer = { value: answer };
  }
  const result = prepared instanceof PreparedCall ? await executor.execute(prepared) : prepared;
  if (result.error !== undefined) throw toToolError(result);
  // The type is that of the tool's result after the executor's conversion.
  return valueForCode(result) as ToolCallOutput<Type>;
}

const optionNames: OptionNames<InvokeOptions> = {
  context: true,
  services: true,
  stubs: true,
  listeners: true,
  abortSignal: true,
  answer: true,
};

/** Without services the application's own container is asked, if there is one. */
const containerOf = (services: readonly unknown[] | undefined): Container =>
  services === undefined ? (currentContainer() ?? withoutServices) : new ServiceList(services);

const nothing = new ServiceList([]);

/** Makes what wants no services, and says of the rest what is missing: its words are those of the option `services`. */
const withoutServices: Container = { get: (type: ToolClass) => (type.length === 0 ? new type() : nothing.get(type)) };
