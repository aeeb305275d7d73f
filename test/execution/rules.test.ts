import { format, inspect, isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { createRunScope, ToolExecutor } from "../../src/execution/index.js";
import {
  createTool,
  description,
  exclusive,
  optional,
  required,
  requiresConfirmation,
  Tool,
  type ToolClass,
  ToolInterrupt,
} from "../../src/tool/index.js";
import { rejection } from "./support.js";

type Rule = (input: Record<string, unknown>) => boolean | Promise<boolean>;

function payTool(rule: Rule): ToolClass {
  @description("Pays. Use when the user asks to pay.")
  @requiresConfirmation(rule)
  class PayTool extends Tool {
    @required(Number) euros!: number;
    @optional(String) note?: string;

    call() {
      return "paid";
    }
  }
  return PayTool;
}

const pay = (rule: Rule, input = { euros: 500 }) =>
  new ToolExecutor({ tools: [payTool(rule)] }).call({ id: "call_1", name: "pay_tool", arguments: input }, createRunScope());

describe("a rule that reads what isn't a parameter", () => {
  it.each<[string, Rule]>([
    ["at once", ({ euro }) => Number(euro) > 100],
    ["later", async (input) => (await input.note) !== "ok" && Number(input.euro) > 100],
    [
      "by a promise of another library",
      // biome-ignore lint/suspicious/noThenProperty: what makes it one.
      (input) => ({ then: (answer: (no: boolean) => void) => answer(Number(input.euro) > 100) }) as never,
    ],
    ["and fails by it", ({ euro }) => (euro as number).toFixed() === "500"],
    [
      "and catches every error",
      (input) => {
        try {
          return (input.euro as number).toFixed() === "500";
        } catch {
          return false;
        }
      },
    ],
    ["and catches every error later", (input) => Promise.reject(new Error(`none: ${input.euro}`)).catch(() => false)],
  ])("fails the call, %s, instead of never asking", async (_when, rule) => {
    expect(await pay(rule)).toMatchObject({
      errorType: "unhandled_error",
      error: 'pay_tool: its rule reads "euro", which is no parameter. Did you mean "euros"?',
    });
  });

  it("is found if another library's words would hide it", async () => {
    @description("Packs. Use when the user asks to pack.")
    @requiresConfirmation((input: Record<string, unknown>) => Number(input.length) > 2)
    class PackTool extends Tool {
      @required(Number) lengths!: number;

      call() {
        return "packed";
      }
    }
    const call = { id: "call_1", name: "pack_tool", arguments: { lengths: 3 } };
    expect(await new ToolExecutor({ tools: [PackTool] }).call(call, createRunScope())).toMatchObject({
      error: 'pack_tool: its rule reads "length", which is no parameter. Did you mean "lengths"?',
    });
  });

  it("is an error for the key of @exclusive too", async () => {
    @description("Transfers money. Use when the user asks for a transfer.")
    @exclusive(({ acount }) => String(acount))
    class TransferTool extends Tool {
      @required(String) account!: string;

      call() {
        return "transferred";
      }
    }
    await expect(new ToolExecutor({ tools: [TransferTool] }).run(TransferTool, { account: "A" })).rejects.toThrow(
      'Did you mean "account"?',
    );
  });
});

describe("a rule", () => {
  it("reads parameters that the model left out as undefined", async () => {
    expect(await rejection(pay(({ note }) => note === undefined))).toBeInstanceOf(ToolInterrupt);
  });

  it("may use its arguments as any object", async () => {
    // Node 26 shows a proxy as one.
    const shown = (text: string) => text.replace(/Proxy\((.*?)\)/, "$1");
    const seen: unknown[] = [];
    const result = await pay((input) => {
      seen.push(JSON.stringify(input), String(input), { ...input }, "note" in input, shown(inspect(input, { showHidden: true })));
      seen.push(shown(format("%O %j", input, input)), isDeepStrictEqual(input, { euros: 500 }), Object.getPrototypeOf(input));
      return false;
    });
    expect(result.data).toBe("paid");
    expect(seen).toEqual([
      '{"euros":500}',
      "[object Object]",
      { euros: 500 },
      false,
      "{ euros: 500 }",
      '{ euros: 500 } {"euros":500}',
      true,
      Object.prototype,
    ]);
  });

  it("is asked once, also if what it answers starts work when it is awaited", async () => {
    let awaited = 0;
    const query = {
      // biome-ignore lint/suspicious/noThenProperty: as query builders have it.
      then: (answer: (isDue: boolean) => void) => {
        awaited += 1;
        answer(false);
      },
    };
    expect((await pay(() => query as never)).data).toBe("paid");
    expect(awaited).toBe(1);
  });

  it("that clones its arguments fails with an error that shows how to copy them", async () => {
    const result = await pay((input) => structuredClone(input).euros === 500);
    expect(result).toMatchObject({
      errorType: "unhandled_error",
      error: expect.stringMatching(/could not be cloned.*Write \{ \.\.\.input \}/),
    });
  });

  it("leaves behind an object of which anything may be read", async () => {
    const kept: Record<string, unknown>[] = [];
    await pay((input) => kept.push(input) === 0);
    expect(kept[0]?.anything).toBeUndefined();
    expect(kept).toEqual([{ euros: 500 }]);
  });

  it("of a tool that takes any arguments may read any", async () => {
    const open = createTool({
      name: "open",
      description: "Takes anything.",
      inputSchema: { type: "object", properties: { a: { type: "string" } } },
      requiresConfirmation: ({ b }) => b === 1,
      execute: () => "ran",
    });
    const executor = new ToolExecutor({ tools: [open] });
    expect(await executor.run("open", { b: 2 })).toBe("ran");
    expect(await rejection(executor.run("open", { b: 1 }))).toBeInstanceOf(ToolInterrupt);
  });

  it("gets JSON with defaults, which a Standard Schema has not transformed yet", async () => {
    const seen: unknown[] = [];
    const transfer = createTool({
      name: "transfer",
      description: "Transfers money.",
      inputSchema: z.object({
        euros: z.number(),
        account: z.string().default("main"),
        day: z.iso.date().transform((text) => new Date(text)),
      }),
      requiresConfirmation: (input) => seen.push({ ...input }) === 0 || input.euros > 100,
      exclusive: ({ account = "other" }) => account,
      execute: (input) => seen.push(input),
    });
    const executor = new ToolExecutor({ tools: [transfer] });
    await executor.run(transfer, { euros: "5", day: "2030-01-01" });
    expect(seen).toEqual([
      { euros: 5, account: "main", day: "2030-01-01" },
      { euros: 5, account: "main", day: new Date("2030-01-01") },
    ]);
    expect(await rejection(executor.run(transfer, { euros: 500, day: "2030-01-01" }))).toBeInstanceOf(ToolInterrupt);
  });

  it("finds a default absent that only the schema's code knows, as its type says", async () => {
    const seen: unknown[] = [];
    const transfer = createTool({
      name: "transfer",
      description: "Transfers money.",
      inputSchema: z.object({ euros: z.coerce.number(), account: z.string().default("main") }),
      exclusive: ({ euros, account = "other" }) => `${String(seen.push([euros, account]))}`,
      execute: ({ euros, account }) => [euros, account],
    });
    expect(await new ToolExecutor({ tools: [transfer] }).run(transfer, { euros: "5" })).toEqual([5, "main"]);
    expect(seen).toEqual([["5", "other"]]);
  });
});

describe("the context of a confirmation rule", () => {
  it("has a signal that is aborted when the run is", async () => {
    const controller = new AbortController();
    let signal: AbortSignal | undefined;

    @description("Pays. Use when the user asks to pay.")
    @requiresConfirmation((_input, { abortSignal }) => {
      signal = abortSignal;
      return new Promise<boolean>(() => {});
    })
    class PayTool extends Tool {
      call() {
        return "paid";
      }
    }
    const call = { id: "call_1", name: "pay_tool", arguments: {} };
    const answer = new ToolExecutor({ tools: [PayTool] }).call(call, createRunScope({ abortSignal: controller.signal }));
    controller.abort(new Error("The user left."));
    expect((await answer).errorType).toBe("cancelled");
    expect(signal?.reason).toEqual(new Error("The user left."));
  });
});
