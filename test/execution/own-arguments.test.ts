import { z } from "zod";
import { createRunScope, PreparedCall, ToolExecutor } from "../../src/execution/index.js";
import { createTool, description, effect, required, Tool, type ToolClass } from "../../src/tool/index.js";

const seen: string[] = [];

beforeEach(() => seen.splice(0));

/** Notes what it gets, and writes into all of it. */
function use(input: { page: number; tags: string[]; filter: { names: string[] } }): string {
  seen.push(JSON.stringify(input));
  input.page += 1;
  input.tags.push("changed");
  input.filter.names.length = 0;
  return "Done.";
}

const schema = {
  type: "object",
  properties: { page: { type: "integer" }, tags: { type: "array" }, filter: { type: "object" } },
} as const;

const Created = createTool({
  name: "use",
  description: "Uses.",
  effect: "none",
  inputSchema: schema,
  execute: (input) => use(input as never),
});

const Transformed = createTool({
  name: "use",
  description: "Uses.",
  effect: "none",
  inputSchema: z.object({ page: z.number(), tags: z.array(z.string()), filter: z.object({ names: z.array(z.string()) }) }),
  execute: use,
});

class Filter {
  @required([String]) names!: string[];
}

@description("Uses.")
@effect("none")
class Use extends Tool {
  @required(Number) page!: number;
  @required([String]) tags!: string[];
  @required(Filter) filter!: Filter;
  call(): string {
    return use(this);
  }
}

const tools: readonly [string, ToolClass][] = [
  ["createTool with JSON Schema", Created],
  ["createTool with zod", Transformed],
  ["a class", Use],
];

const input = { page: 1, tags: ["a"], filter: { names: ["b"] } };
const request = { id: "1", name: "use", arguments: input };

function preparedBy(executor: ToolExecutor): PreparedCall {
  const prepared = executor.prepare(request, createRunScope());
  if (!(prepared instanceof PreparedCall)) throw new Error("The call wasn't prepared.");
  return prepared;
}

describe.each(tools)("%s gets the same arguments", (_, tool) => {
  it("each time that one prepared call is executed", async () => {
    const executor = new ToolExecutor({ tools: [tool] });
    const prepared = preparedBy(executor);
    await executor.execute(prepared);
    await Promise.all([executor.execute(prepared), executor.execute(prepared)]);
    expect(seen).toEqual(Array.from({ length: 3 }, () => JSON.stringify(input)));
    expect(prepared.input).toEqual(input);
  });
});

it("a retry gets the arguments that were approved, and not those that the failed attempt changed", async () => {
  const Failing = createTool({
    name: "use",
    description: "Uses.",
    effect: "none",
    inputSchema: schema,
    execute: (given) => {
      use(given as never);
      if (seen.length < 3) throw new Error("Not yet");
      return "Done.";
    },
  });
  const result = await new ToolExecutor({ tools: [Failing], attempts: 3 }).call(request, createRunScope());
  expect(result.data).toBe("Done.");
  expect(seen).toEqual(Array.from({ length: 3 }, () => JSON.stringify(input)));
});

it("a value that a schema made once is the same in the second execution", async () => {
  let made = 0;
  const Counted = createTool({
    name: "use",
    description: "Uses.",
    inputSchema: z.object({ key: z.string().default(() => `key-${++made}`) }),
    execute: ({ key }) => seen.push(key),
  });
  const executor = new ToolExecutor({ tools: [Counted] });
  const prepared = executor.prepare({ id: "1", name: "use", arguments: {} }, createRunScope()) as PreparedCall;
  await executor.execute(prepared);
  await executor.execute(prepared);
  expect(new Set(seen).size).toBe(1);
});
