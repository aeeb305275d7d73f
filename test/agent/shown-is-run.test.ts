import { Exclude, Transform } from "class-transformer";
import { IsString } from "class-validator";
import { z } from "zod";
import { Agent, model, usesTools } from "../../src/agent/index.js";
import { approve, confirmationCard } from "../../src/confirmation/index.js";
import type { RunState } from "../../src/loop/index.js";
import { createRunScope, PreparedCall, ToolExecutor } from "../../src/execution/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import {
  createTool,
  description,
  identifier,
  input as inputOf,
  optional,
  required,
  requiresConfirmation,
  Tool,
  type ToolClass,
} from "../../src/tool/index.js";

const ran: unknown[] = [];
let count = 0;
const id = (): string => `id-${(count += 1)}`;
beforeEach(() => {
  ran.splice(0);
  count = 0;
});

/** A tool that asks first, with a schema of zod. */
const zodTool = <Schema extends z.ZodType>(inputSchema: Schema): ToolClass =>
  createTool({
    name: "act",
    description: "Does it. Use when the user wants it.",
    inputSchema: inputSchema as never,
    requiresConfirmation: true,
    execute: (values: unknown) => {
      ran.push(values);
      return "Done.";
    },
  });

/** Has a call of the tool shown to a person, who approves it in another process. */
async function approved(tool: ToolClass, input: object, between = (): void => undefined) {
  const script = new ScriptedModel([{ toolCalls: [{ name: tool.identifier, arguments: input as never }] }, "Done."]);

  @model(script)
  @usesTools([tool])
  class AskingAgent extends Agent {}

  const paused = await new AskingAgent().generate("Go");
  const confirmation = paused.confirmations?.[0];
  if (paused.state === undefined || confirmation === undefined) throw new Error(`The run ended: ${paused.outcome.reason}`);
  const state = JSON.parse(JSON.stringify(paused.state)) as RunState;
  between();
  const agent = new AskingAgent();
  await agent.resume(state, { decisions: [approve(confirmation)] });
  const result = agent.messages.findLast(({ role }) => role === "tool");
  return { confirmation, result };
}

@identifier("order")
@description("Orders. Use when the user wants it.")
@requiresConfirmation()
class DatedTool extends Tool {
  @required(String) item!: string;
  @optional(z.string().default(() => id())) reference?: string;
  @optional(Date) day?: Date;

  call() {
    ran.push({ item: this.item, reference: this.reference, day: this.day });
    return "Ordered.";
  }
}

describe("what runs after an approval is what was shown", () => {
  it("with a default that is a function, evaluated once", async () => {
    const schema = z.object({ to: z.string(), reference: z.string().default(() => id()) });
    const tool = zodTool(schema);
    void tool.definition;
    const before = count;
    const { confirmation } = await approved(tool, { to: "ann" });
    expect(count).toBe(before + 1);
    expect(ran).toEqual([confirmation.input]);
    expect(confirmation.input).toEqual({ to: "ann", reference: `id-${count}` });
    expect(confirmation).not.toHaveProperty("used");
  });

  it("with a field that class-transformer leaves out of results", async () => {
    class ShellInput {
      @Transform(({ value }) => `sh -c ${value}`, { toClassOnly: true })
      @Exclude({ toPlainOnly: true })
      @IsString()
      command!: string;
    }
    @identifier("shell")
    @description("Runs a command. Use when the user wants it.")
    @requiresConfirmation()
    class ShellTool extends Tool {
      @inputOf(ShellInput) shell!: ShellInput;
      call() {
        ran.push(this.shell.command);
        return "Done.";
      }
    }
    const { confirmation } = await approved(ShellTool, { command: "ls" });
    expect(ran).toEqual(["sh -c ls"]);
    expect(JSON.stringify(confirmation.used)).toContain("sh -c ls");
  });

  it("with such a default of a field, beside a date", async () => {
    const { confirmation } = await approved(DatedTool, { item: "book", day: "2030-01-01T00:00:00+02:00" });
    expect(ran).toEqual([{ item: "book", reference: confirmation.input.reference, day: new Date("2029-12-31T22:00:00Z") }]);
    expect(confirmation).not.toHaveProperty("used");
  });

  it("with such a default inside of objects and lists", async () => {
    const line = z.object({ sku: z.string(), key: z.string().default(() => id()) });
    const { confirmation } = await approved(zodTool(z.object({ lines: z.array(line) })), { lines: [{ sku: "a" }, { sku: "b" }] });
    expect(ran).toEqual([confirmation.input]);
  });

  it("with a default whose form a transform changes", async () => {
    const schema = z.object({ days: z.string().default("5").transform(Number), key: z.string().default(() => id()) });
    const { confirmation } = await approved(zodTool(schema), {});
    expect(confirmation.input).toEqual(ran[0]);
    expect(confirmation.input.days).toBe(5);
  });

  it("with a transform that gives something else each time: both are shown, and the first is used", async () => {
    const schema = z.object({ amount: z.string().transform((text) => `${text} as ${id()}`), to: z.string() });
    const { confirmation } = await approved(zodTool(schema), { amount: "5", to: "ann" });
    expect(confirmation).toMatchObject({ input: { amount: "5", to: "ann" }, used: { amount: "5 as id-1" } });
    expect(ran).toEqual([{ amount: "5 as id-1", to: "ann" }]);
    expect(confirmationCard(confirmation).arguments).toEqual([
      { name: "amount", text: '"5"' },
      { name: "amount becomes", text: '"5 as id-1"' },
      { name: "to", text: '"ann"' },
    ]);
  });

  it("with values that aren't JSON, which are made again", async () => {
    const day = z
      .string()
      .default(() => new Date().toISOString())
      .transform((text) => new Date(text));
    const schema = z.object({ tags: z.array(z.string()).transform((tags) => new Set(tags)), day });
    const { confirmation } = await approved(zodTool(schema), { tags: ["a", "b", "a"] });
    expect(confirmation.used).toEqual({ tags: ["a", "b"] });
    expect(ran).toEqual([{ tags: new Set(["a", "b"]), day: new Date(String(confirmation.input.day)) }]);
  });

  it("or nothing runs, if what isn't JSON comes out otherwise", async () => {
    const warned = jest.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    const schema = z.object({ tags: z.array(z.string()).transform((tags) => new Set([...tags, id()])) });
    const { confirmation, result } = await approved(zodTool(schema), { tags: ["a"] });
    expect(confirmation.used).toEqual({ tags: ["a", "id-1"] });
    expect(ran).toEqual([]);
    expect(result).toMatchObject({ errorType: "confirmation_denied", content: expect.stringContaining("isn't what was shown") });
    expect(warned).toHaveBeenCalledWith(expect.stringContaining("was approved, and didn't run"), "ToolwrightWarning");
    warned.mockRestore();
  });

  it("or nothing runs, if a rule refuses the arguments by now", async () => {
    const warned = jest.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    let open = true;
    const schema = z.object({ coupon: z.string().refine(() => open, "has expired") });
    const { result } = await approved(zodTool(schema), { coupon: "A" }, () => {
      open = false;
    });
    expect(ran).toEqual([]);
    expect(result).toMatchObject({ errorType: "validation_error" });
    warned.mockRestore();
  });

  it("with a schema whose whole output is something else", async () => {
    const schema = z.object({ a: z.string() }).transform(({ a }) => `${a} ${id()}`);
    const { confirmation } = await approved(zodTool(schema), { a: "x" });
    expect(confirmation.used).toEqual({ "": "x id-1" });
    expect(confirmationCard(confirmation).arguments).toContainEqual({ name: "all arguments becomes", text: '"x id-1"' });
    expect(ran).toEqual(["x id-1"]);
  });

  it("with class-transformer: a @Transform shows both, an initialised field of a nested class is shown", async () => {
    class Line {
      @required(String)
      @Transform(({ value }) => String(value).trim().toUpperCase())
      sku!: string;

      @optional(String) key?: string = id();
    }

    @identifier("order")
    @description("Orders. Use when the user wants it.")
    @requiresConfirmation()
    class OrderTool extends Tool {
      @required([Line]) lines!: Line[];

      call() {
        ran.push(this.lines.map(({ sku, key }) => ({ sku, key })));
        return "Ordered.";
      }
    }

    const { confirmation } = await approved(OrderTool, { lines: [{ sku: " a-1 " }] });
    expect(confirmation.used).toMatchObject({ lines: [{ sku: "A-1" }] });
    expect(ran).toEqual([confirmation.used!.lines]);
  });

  it("with the fields of an @input class", async () => {
    class Recipient {
      @required(String) to!: string;
      @optional(String) reference?: string = id();
    }

    @identifier("send")
    @description("Sends. Use when the user wants it.")
    @requiresConfirmation()
    class SendTool extends Tool {
      @inputOf(Recipient) recipient!: Recipient;

      call() {
        ran.push({ ...this.recipient });
        return "Sent.";
      }
    }

    const { confirmation } = await approved(SendTool, { to: "ann" });
    expect(ran).toEqual([confirmation.input]);
    expect(Object.keys(confirmation.input)).toEqual(["to", "reference"]);
  });

  it("while a handler answers at once, and the other call of the step waits for its own", async () => {
    const tool = zodTool(z.object({ key: z.string().default(() => id()) }));

    @model(
      new ScriptedModel([
        {
          toolCalls: [
            { name: "act", arguments: {} },
            { name: "act", arguments: {} },
          ],
        },
        "Done.",
      ]),
    )
    @usesTools([tool])
    class AskingAgent extends Agent {}

    const shown: unknown[] = [];
    await new AskingAgent().generate("Go", {
      confirm: (confirmation) => {
        shown.push(confirmation.input);
        return approve(confirmation);
      },
    });
    expect(ran).toEqual(shown);
    expect(new Set(shown.map((one) => JSON.stringify(one))).size).toBe(2);
  });

  it("in a call of a sub-agent", async () => {
    const tool = zodTool(z.object({ key: z.string().default(() => id()) }));

    @model(new ScriptedModel([{ toolCalls: [{ name: "act", arguments: {} }] }, "Done."]))
    @identifier("worker")
    @description("Works. Use for work.")
    @usesTools([tool])
    class Worker extends Agent {}

    @model(new ScriptedModel([{ toolCalls: [{ name: "worker", arguments: { prompt: "go" } }] }, "Done."]))
    @usesTools([Worker])
    class Boss extends Agent {}

    const { state, confirmations } = await new Boss().generate("Go");
    await new Boss().resume(JSON.parse(JSON.stringify(state)) as RunState, { decisions: [approve(confirmations![0]!)] });
    expect(ran).toEqual([confirmations![0]!.input]);
  });
});

describe("an executor whose call was prepared", () => {
  const tool = createTool({
    name: "act",
    description: "Does it. Use when the user wants it.",
    inputSchema: { type: "object", properties: { amount: { type: "integer" }, to: { type: "object" } }, additionalProperties: false },
    execute: (values) => {
      ran.push(structuredClone(values));
      (values.to as { name: string }).name = "changed by the tool";
      return "Done.";
    },
  });
  const request = () => ({ id: "call_1", name: "act", arguments: { amount: 5, to: { name: "ann" } } });
  const asSent = { amount: 5, to: { name: "ann" } };

  it("runs what was validated, whatever the caller's object holds by then", async () => {
    const executor = new ToolExecutor({ tools: [tool] });
    const sent = request();
    const call = await executor.prepare(sent, createRunScope());
    sent.arguments.amount = 9_999;
    sent.arguments.to.name = "eve";
    if (!(call instanceof PreparedCall)) throw new Error(call.error);
    expect(() => Object.assign(call.input, { amount: 1 })).toThrow(TypeError);
    await executor.execute(call);
    expect(ran).toEqual([asSent]);
    expect(call.input).toEqual(asSent);
  });

  it("lets middleware change neither what runs nor what it reads", async () => {
    const read: unknown[] = [];
    const executor = new ToolExecutor({ tools: [tool] }).use(async (call, next) => {
      expect(() => Object.assign(call.input.to as object, { name: "eve" })).toThrow(TypeError);
      expect(call).not.toHaveProperty("ready");
      const result = await next();
      read.push(call.input);
      return result;
    });
    await executor.run("act", request().arguments);
    expect([...ran, ...read]).toEqual([asSent, asSent]);
  });

  it("leaves the caller's object alone", async () => {
    const { arguments: sent } = request();
    await new ToolExecutor({ tools: [tool] }).run("act", sent);
    expect(sent).toEqual(asSent);
  });

  it("reads a getter once", async () => {
    let reads = 0;
    const sent = {
      to: {},
      get amount() {
        reads += 1;
        return reads === 1 ? 5 : 9_999;
      },
    };
    await new ToolExecutor({ tools: [tool] }).run("act", sent);
    expect(ran).toEqual([{ amount: 5, to: {} }]);
    expect(reads).toBe(1);
  });

  it("isn't changed while it waits for its turn", async () => {
    let free = (): void => undefined;
    const first = new Promise<void>((resolve) => (free = resolve));
    const exclusive = createTool({
      name: "act",
      description: "Does it. Use when the user wants it.",
      inputSchema: { type: "object", properties: { to: { type: "object" } } },
      exclusive: true,
      execute: async (values) => {
        ran.push(structuredClone(values));
        await first;
        return "Done.";
      },
    });
    const executor = new ToolExecutor({ tools: [exclusive] });
    const sent = { to: { name: "ann" } };
    const both = [executor.run("act", { to: { name: "bob" } }), executor.run("act", sent)];
    sent.to.name = "eve";
    free();
    await Promise.all(both);
    expect(ran).toEqual([{ to: { name: "bob" } }, { to: { name: "ann" } }]);
  });

  it.each([
    ["at once", (answer: boolean) => answer],
    ["later", async (answer: boolean) => answer],
  ])("isn't changed by a confirmation rule that answers %s", async (_when, answered) => {
    const asking = createTool({
      name: "act",
      description: "Does it. Use when the user wants it.",
      inputSchema: { type: "object", properties: { lines: { type: "array", items: { type: "object" } } }, additionalProperties: false },
      requiresConfirmation: (values) => {
        for (const line of (values as { lines: { euros: number }[] }).lines) line.euros = 0;
        (values as { lines: unknown[] }).lines.push({ euros: 7 });
        return answered(false);
      },
      exclusive: (values) => String((values as { lines: unknown[] }).lines.pop()),
      execute: (values) => ran.push(values),
    });
    await new ToolExecutor({ tools: [asking] }).run("act", { lines: [{ euros: 500 }] });
    expect(ran).toEqual([{ lines: [{ euros: 500 }] }]);
  });

  it("records the value that a default gave, and repeats a failed attempt with it", async () => {
    const recorded: unknown[] = [];
    const failing = createTool({
      name: "act",
      description: "Does it. Use when the user wants it.",
      inputSchema: z.object({ key: z.string().default(() => id()) }),
      effect: "idempotent",
      execute: (values) => {
        ran.push({ ...values });
        throw new Error("busy");
      },
    });
    const listener = { toolStarted: ({ input }: { input: unknown }) => void recorded.push(input) };
    const executor = new ToolExecutor({ tools: [failing], attempts: 3, listeners: [listener] });
    await executor.call({ id: "call_1", name: "act", arguments: "{}" }, createRunScope());
    expect(ran).toEqual(Array(3).fill({ key: `id-${count}` }));
    expect(recorded).toEqual(ran);
  });
});
