import type { AgentClass } from "../agent/index.js";
import { isAgentClass, subAgentTool } from "../agent/internal.js";
import type { Container } from "../execution/index.js";
import { currentContainer, StubContainer, type ToolBody } from "../execution/internal.js";
import type { ToolClass, ToolContext } from "../tool/index.js";
import type { FieldName } from "../tool/internal.js";

/** The validated arguments as the tool's fields would have them: with defaults, nested instances and dates. */
export type StubInput<Type extends ToolClass> =
  InstanceType<Type> extends infer Owner
    ? { [Name in keyof Owner as FieldName<Owner, Name>]: Owner[Name] } & Record<string, unknown>
    : never;

/** A call that reached a stub. */
export interface StubCall<Type extends ToolClass = ToolClass> {
  /** The validated arguments. */
  readonly input: StubInput<Type>;
  /** The context of the call. */
  readonly context: ToolContext;
}

/** A fake for a tool's own code, made by `stubTool` and used with `withStubs`. See docs/06-testing.md. */
export interface ToolStub<Type extends ToolClass = ToolClass> {
  /** The tool that is replaced. */
  readonly tool: Type;
  /** The calls that reached the stub, in the order in which they began. Calls that a check rejected aren't included. */
  readonly calls: readonly StubCall<Type>[];
  /** The function that runs instead of the tool's code. */
  readonly body: ToolBody;
}

/**
 * Replaces a tool's code in tests. Name, description, schemas, rules and policy stay, and input and output are checked as usual.
 *
 * ```ts
 * const weather = stubTool(WeatherTool, ({ city }) => `Sunny in ${city}.`);
 * const response = await WeatherAgent.generate("Weather in Paris?", { container: withStubs([weather]) });
 * expect(weather.calls[0]?.input).toEqual({ city: "Paris", units: "celsius" });
 * ```
 *
 * The class isn't instantiated, so it needs no services. `implementation` may return, throw and await like `call`; a mock works
 * too: `stubTool(WeatherTool, jest.fn().mockResolvedValue("Sunny"))`. See docs/06-testing.md.
 */
export function stubTool<Type extends ToolClass>(
  tool: Type,
  implementation: (input: StubInput<Type>, context: ToolContext) => unknown,
): ToolStub<Type>;
/**
 * Replaces a sub-agent in tests: the return value is its answer, and its model isn't called.
 *
 * ```ts
 * const flights = stubTool(FlightAgent, ({ prompt }) => `No flight for: ${prompt}`);
 * await TravelAgent.generate("To Paris!", { container: withStubs([flights]) });
 * ```
 *
 * See docs/06-testing.md.
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
    const input = { ...values };
    calls.push({ input, context });
    return implementation(input as never, context);
  };
  return { tool, calls, body };
}

/**
 * Makes a container in which stubs replace their tools: `agent.generate("...", { container: withStubs([weather]) })`.
 *
 * Use it wherever a container is accepted: `generate`, `stream`, `resume`, `ToolExecutor`, `@usesContainer`, `useContainer`. It
 * also applies to tools that other tools call. `others` creates all other tools: by default the container given to `useContainer`.
 * If the agent has `@usesContainer`, pass that container here.
 *
 * Throws `TypeError` if two stubs replace the same tool. See docs/06-testing.md.
 */
export function withStubs(stubs: readonly ToolStub[], others: Container | undefined = currentContainer()): Container {
  const bodies = new Map<ToolClass, ToolBody>();
  for (const { tool, body } of stubs) {
    if (bodies.has(tool))
      throw new TypeError(`withStubs: two stubs stand for ${tool.name}, and only one of them could run. Leave one out.`);
    bodies.set(tool, body);
  }
  return new StubContainer(bodies, others, true);
}
