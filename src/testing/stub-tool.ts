import type { AgentClass } from "../agent/index.js";
import { isAgentClass, subAgentTool } from "../agent/internal.js";
import type { Container } from "../execution/index.js";
import { currentContainer, StubContainer, type ToolBody } from "../execution/internal.js";
import type { ToolClass, ToolContext } from "../tool/index.js";
import type { FieldName } from "../tool/internal.js";

/** The validated arguments as an instance of the tool would have them: defaults applied, nested classes and dates as such. */
export type StubInput<Type extends ToolClass> =
  InstanceType<Type> extends infer Owner
    ? { [Name in keyof Owner as FieldName<Owner, Name>]: Owner[Name] } & Record<string, unknown>
    : never;

/** One call that reached a stub. */
export interface StubCall<Type extends ToolClass = ToolClass> {
  readonly input: StubInput<Type>;
  readonly context: ToolContext;
}

/** A fake in place of a tool's own code: what `stubTool` makes and `withStubs` takes. */
export interface ToolStub<Type extends ToolClass = ToolClass> {
  readonly tool: Type;
  /** The calls that reached the tool, in the order in which they began. Those that a check refused did not. */
  readonly calls: readonly StubCall<Type>[];
  readonly body: ToolBody;
}

/**
 * A fake for one tool, for tests. The tool keeps its name, description, schemas, rules and policy, and input and output
 * are checked as ever; in place of its own code `implementation` runs, and the class, with its services, is never made.
 * It may return, throw and await whatever `call` may.
 *
 * ```ts
 * const weather = stubTool(WeatherTool, ({ city }) => `Sunny in ${city}.`);
 * const response = await WeatherAgent.generate("Weather in Paris?", { container: withStubs([weather]) });
 * expect(weather.calls[0]?.input).toEqual({ city: "Paris", units: "celsius" });
 * ```
 *
 * A mock of your test runner is an implementation too: `stubTool(WeatherTool, jest.fn().mockResolvedValue("Sunny"))`.
 */
export function stubTool<Type extends ToolClass>(
  tool: Type,
  implementation: (input: StubInput<Type>, context: ToolContext) => unknown,
): ToolStub<Type>;
/**
 * A fake for an agent that other agents call: what it returns is the answer, and no model of its own is asked.
 *
 * ```ts
 * const flights = stubTool(FlightAgent, ({ prompt }) => `No flight for: ${prompt}`);
 * await TravelAgent.generate("To Paris!", { container: withStubs([flights]) });
 * ```
 */
export function stubTool(
  agent: AgentClass,
  implementation: (input: { readonly prompt: string }, context: ToolContext) => unknown,
): ToolStub;
export function stubTool(
  stubbed: ToolClass | AgentClass,
  // Whatever an implementation takes is what its tool's validated arguments are: the overloads say so.
  implementation: (input: never, context: ToolContext) => unknown,
): ToolStub {
  const tool = isAgentClass(stubbed) ? subAgentTool(stubbed) : stubbed;
  const calls: StubCall[] = [];
  const body: ToolBody = ({ values }, context) => {
    // A copy, as an instance's fields are: the executor keeps the values. They have the fields that the class declares.
    const input = { ...values } as StubInput<ToolClass>;
    calls.push({ input, context });
    return implementation(input as never, context);
  };
  return { tool, calls, body };
}

/**
 * A container in which the stubs stand for their tools, wherever a container is taken: the option of `generate`, `stream`
 * and `resume`, of a `ToolExecutor`, `@usesContainer`, `useContainer`. Agents need no change, and tools that call stubbed
 * tools reach the stubs too. All other tools are made by `others`: by default the container given to `useContainer`,
 * not that of an agent's `@usesContainer`, which is given here again.
 *
 * Throws `TypeError` where two stubs stand for one tool.
 */
export function withStubs(stubs: readonly ToolStub[], others: Container | undefined = currentContainer()): Container {
  const bodies = new Map<ToolClass, ToolBody>();
  for (const { tool, body } of stubs) {
    if (bodies.has(tool))
      throw new TypeError(`withStubs: two stubs stand for ${tool.name}, and only one of them could run. Leave one out.`);
    bodies.set(tool, body);
  }
  return new StubContainer(bodies, others);
}
