import { z } from "zod";
import { Agent, model, usesTools } from "../../src/agent/index.js";
import { approve } from "../../src/confirmation/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { description, optional, requiresConfirmation, required, Tool, type ToolClass } from "../../src/tool/index.js";
import { renamedTool } from "../../src/tool/internal.js";
import { stubTool, withStubs } from "../../src/testing/index.js";
import { caller } from "./support.js";

/** A tool with one field. The compiler checks initializers against defaults elsewhere: here any pair is met. */
function toolWith(type: unknown, options: object, initial: () => unknown): ToolClass {
  @description("Books. Use for tests.")
  class BookTool extends Tool {
    @optional(type as typeof Object, options)
    rooms: unknown = initial();

    call() {
      return this.rooms;
    }
  }
  return BookTool;
}

class Place {
  @optional(String) city?: string;
  @optional(Number) floor?: number;

  constructor(city?: string, floor?: number) {
    if (city !== undefined) this.city = city;
    if (floor !== undefined) this.floor = floor;
  }
}

const contradiction = (initial: string, byDefault = "3") =>
  `BookTool.rooms: its default is ${byDefault}, and it is initialized with ${initial}, which no call would see. Leave the initializer out: rooms!`;

describe("an initializer that contradicts the default", () => {
  it("says so at every call", async () => {
    const call = caller(toolWith(Number, { default: 3 }, () => 5));
    for (const input of [{}, { rooms: 7 }]) {
      expect(await call(input)).toMatchObject({ errorType: "unhandled_error", error: contradiction("5") });
    }
  });

  const circular: Record<string, unknown> = {};
  circular.self = circular;
  const silent = {
    toJSON() {
      throw new Error("not now");
    },
  };
  it.each([
    ["what contains itself", circular, "an object"],
    ["a BigInt", 3n, "bigint 3"],
    ["what can't become JSON", silent, "an object"],
    ["no number", Number.NaN, "NaN"],
    ["a function", () => 3, "a function"],
    ["null", null, "null"],
  ])("says so if it is %s", async (_what, initial, shown) => {
    expect(await caller(toolWith(Number, { default: 3 }, () => initial))()).toMatchObject({ error: contradiction(shown) });
  });

  it("says so if a Standard Schema has the default", async () => {
    const call = caller(toolWith(z.string().default("5").transform(Number), {}, () => 6));
    expect(await call()).toMatchObject({ error: contradiction("6", '"5"') });
  });
});

describe("an initializer that says the same as the default may stand", () => {
  it.each<[string, unknown, object, () => unknown]>([
    ["for a list", [Number], { default: [3] }, () => [3]],
    ["with its keys in another order", Object, { default: { beds: 2, baths: 1 } }, () => ({ baths: 1, beds: 2 })],
    ["for a date", Date, { default: new Date(0) }, () => new Date(0)],
    ["for an instance of a class", Place, { default: { floor: 3, city: "Paris" } }, () => new Place("Paris", 3)],
    ["for what a Standard Schema makes of its default", z.string().default("5").transform(Number), {}, () => 5],
    [
      "for what it makes of it later",
      z
        .string()
        .default("5")
        .transform(async (text) => Number(text)),
      {},
      () => 5,
    ],
  ])("%s", async (_what, type, options, initial) => {
    expect(await caller(toolWith(type, options, initial))()).not.toHaveProperty("error");
  });
});

describe("before a person is asked", () => {
  function payTool(initial: number) {
    let made = 0;

    @description("Pays. Use for tests.")
    @requiresConfirmation()
    class PayTool extends Tool {
      @optional(Number, { default: 3 })
      euros = initial;

      constructor() {
        super();
        made += 1;
      }

      call() {
        return this.euros;
      }
    }
    return { PayTool, made: () => made };
  }

  const agentOf = (tool: ToolClass) => {
    const pay = { toolCalls: [{ name: tool.identifier }] };

    @model(new ScriptedModel([pay, pay, "Done."]))
    @usesTools([tool])
    class ShopAgent extends Agent {}

    return ShopAgent;
  };

  it("a contradiction fails the call: no approval is used up by a call that can't run", async () => {
    const { PayTool } = payTool(5);
    for (const tool of [PayTool, renamedTool(PayTool, "shop_pay")]) {
      const asked = jest.fn(approve);
      const response = await agentOf(tool).generate("Pay", { confirm: asked });
      expect(response.steps[0]?.toolCalls).toMatchObject([
        { errorType: "unhandled_error", content: expect.stringContaining("PayTool.euros: its default is 3") },
      ]);
      expect(asked).not.toHaveBeenCalled();
    }
  });

  it("one instance is made to look at, once for the class", async () => {
    const { PayTool, made } = payTool(3);
    expect((await agentOf(PayTool).generate("Pay", { confirm: approve })).text).toBe("Done.");
    expect(made()).toBe(3);
  });

  it("none is made of a class that wants services, and the container isn't asked for one", async () => {
    class Bank {}

    @description("Pays. Use for tests.")
    @requiresConfirmation()
    class PayTool extends Tool {
      @required(String) to!: string;
      @optional(Number, { default: 3 }) euros = 5;

      constructor(readonly bank: Bank) {
        super();
      }

      call() {}
    }
    const get = jest.fn(() => new PayTool(new Bank()));
    await expect(caller(PayTool, { container: { get } })({ to: "Ada" })).rejects.toThrow("waits for confirmation");
    expect(get).not.toHaveBeenCalled();
  });

  it("none is made of a stubbed tool", async () => {
    const { PayTool, made } = payTool(5);
    const container = withStubs([stubTool(PayTool, () => 1)]);
    expect((await agentOf(PayTool).generate("Pay", { confirm: approve, container })).steps[0]?.toolCalls[0]?.data).toBe(1);
    expect(made()).toBe(0);
  });
});
