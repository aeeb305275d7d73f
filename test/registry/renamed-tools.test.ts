import { IsEmail } from "class-validator";
import { Container, Service } from "typedi";
import { Agent, model, usesTools } from "../../src/agent/index.js";
import { approve } from "../../src/confirmation/index.js";
import { definitionHash, useContainer } from "../../src/execution/index.js";
import { fromRegistry, type ToolRegistry, useRegistry } from "../../src/registry/index.js";
import { invokeTool, ScriptedModel, stubTool, withStubs } from "../../src/testing/index.js";
import {
  dependsOn,
  description,
  identifier,
  input,
  optional,
  required,
  requiresConfirmation,
  Tool,
  type ToolClass,
  type ToolContext,
} from "../../src/tool/index.js";
import { validateToolInput } from "../../src/tool/internal.js";
import "../../src/testing/jest.js";
import { registryOf, tool } from "./support.js";

@Service()
class Ledger {
  readonly entries: string[] = [];

  write(entry: string): string {
    this.entries.push(entry);
    return entry;
  }
}

class Line {
  @required(String)
  product!: string;

  shout() {
    return this.product.toUpperCase();
  }
}

@identifier("refund")
@description("Refunds an order. Use when the customer wants the money back.")
class RefundTool extends Tool {
  readonly #made = true;

  @required(String, "The order's number")
  order!: string;

  @optional([Line])
  lines?: Line[];

  constructor(private readonly ledger: Ledger) {
    super();
  }

  call() {
    return `${this.ledger.write(this.order)} ${this.lines?.map((line) => line.shout()).join() ?? ""} ${this.#made} ${this.constructor.name}`;
  }
}

@identifier("charge")
@description("Charges an order. Use when the customer pays.")
@dependsOn("refund")
class ChargeTool extends Tool {
  call({ call }: ToolContext) {
    return call(RefundTool, { order: "A-1" });
  }
}

const billing = () => registryOf({ billing: [RefundTool, ChargeTool] });

/** One run of an agent with these tools, whose model makes one call. */
async function run(tools: readonly ToolClass[] | (() => readonly ToolClass[]), call: { name: string; arguments: object }, options = {}) {
  const script = new ScriptedModel([{ toolCalls: [call as never] }, "Done."]);
  @model(script)
  @usesTools(tools)
  class Clerk extends Agent {}
  const response = await Clerk.generate("Go", options);
  return { response, offered: script.requests[0]?.tools?.map(({ name }) => name), results: script.requests[1]?.messages.at(-1)?.content };
}

afterEach(() => {
  useContainer(undefined);
  useRegistry(undefined);
  Container.reset();
});

describe("an agent takes tools from a registry", () => {
  it("under their full names, which the wire writes as providers allow", async () => {
    const { response, offered, results } = await run(
      billing().select("billing/*"),
      { name: "billing_refund", arguments: { order: "A-7" } },
      {
        container: Container,
      },
    );
    expect(offered).toEqual(["billing_refund", "billing_charge"]);
    expect(results).toBe("A-7  true RefundTool");
    expect(response).toHaveCalledTool("billing/refund", { order: "A-7" });
    expect(response).toHaveCalledTool(billing().tool("refund"));
  });

  it("by a resolver of the context", async () => {
    const registry = registryOf({ a: [tool("x", { tags: ["safe"] }), tool("y")] });
    @model(() => new ScriptedModel([({ tools }) => tools?.map(({ name }) => name).join() ?? "none"]))
    @usesTools(({ userId }) => registry.select(userId === "root" ? "a/*" : { tags: ["safe"] }))
    class Clerk extends Agent {}
    expect((await Clerk.generate("Go", { toolContext: { userId: "root" } })).text).toBe("a_x,a_y");
    expect((await Clerk.generate("Go")).text).toBe("a_x");
  });

  it("by fromRegistry, from the registry in use when the run begins, which may be made after the class", async () => {
    @model(() => new ScriptedModel([({ tools }) => tools?.map(({ name }) => name).join() ?? "none"]))
    @usesTools(fromRegistry(["calc", "billing/*"]))
    class Clerk extends Agent {}
    await expect(Clerk.generate("Go")).rejects.toThrow('fromRegistry(["calc","billing/*"]): there is no registry. Call useRegistry(');
    useRegistry(registryOf({ "": [tool("calc")], billing: [tool("refund")] }));
    expect((await Clerk.generate("Go")).text).toBe("calc,billing_refund");
    useRegistry(registryOf({ "": [tool("calc")], billing: [tool("invoice"), tool("refund")] }));
    expect((await Clerk.generate("Go")).text).toBe("calc,billing_invoice,billing_refund");
    useRegistry(registryOf({ billing: [tool("refund")] }));
    await expect(Clerk.generate("Go")).rejects.toThrow("Tool not found in registry: calc");
  });

  it("and a profile of the run narrows them by their full names", async () => {
    const registry = registryOf({ billing: [tool("refund"), tool("invoice")], shop: [tool("buy")] });
    const call = { name: "shop_buy", arguments: {} };
    const { offered, results } = await run(registry.select("*"), call, { profile: { allowedTools: ["billing/*"] } });
    expect(offered).toEqual(["billing_refund", "billing_invoice"]);
    expect(results).toContain("Unknown tool 'shop_buy'.");
  });

  it("two of one simple name, and each call reaches its own", async () => {
    const registry = registryOf({ eu: [tool("pay", {}, () => "euros")], us: [tool("pay", {}, () => "dollars")] });
    expect((await run(registry.select("*"), { name: "us_pay", arguments: {} })).results).toBe("dollars");
    expect((await run(registry.select("*"), { name: "eu_pay", arguments: {} })).results).toBe("euros");
  });

  it("and pauses for a call that needs a confirmation, which names it fully and holds in another process", async () => {
    @identifier("wire")
    @description("Wires money. Use when somebody is to be paid.")
    @requiresConfirmation()
    class WireTool extends Tool {
      call() {
        return "wired";
      }
    }
    const registry = (): ToolRegistry => registryOf({ bank: [WireTool] });
    const script = new ScriptedModel([{ toolCalls: [{ name: "bank_wire", arguments: {} }] }, "Done."]);
    @model(script)
    @usesTools(() => registry().select("*"))
    class Clerk extends Agent {}
    const paused = await Clerk.generate("Go");
    expect(paused.confirmations).toMatchObject([{ tool: "bank/wire" }]);
    const { callId } = paused.confirmations?.[0] ?? { callId: "none" };
    const state = JSON.parse(JSON.stringify(paused.state)) as NonNullable<typeof paused.state>;
    const resumed = await new Clerk().resume(state, { decisions: [approve(callId)] });
    expect(resumed.outcome.reason).toBe("success");
    expect(script.requests.at(-1)?.messages.at(-1)?.content).toBe("wired");
  });
});

describe("the class of a registered tool", () => {
  it("is made by the container as its author's class is: by a factory, a transient service, or typedi's own means", async () => {
    const made = billing().tool("refund");
    expect(await run([made], { name: "billing_refund", arguments: { order: "A-1" } }, { container: Container })).toMatchObject({
      results: "A-1  true RefundTool",
    });
    expect(Container.get(Ledger).entries).toEqual(["A-1"]);

    const asked: unknown[] = [];
    const ledger = new Ledger();
    const container = {
      get: (type: new (...services: unknown[]) => Tool) => {
        asked.push(type);
        return new type(ledger);
      },
    };
    await run([made], { name: "billing_refund", arguments: { order: "A-2" } }, { container });
    expect(asked).toEqual([RefundTool]);
    expect(ledger.entries).toEqual(["A-2"]);

    Container.reset();
    Container.set({
      id: RefundTool,
      factory: () => new RefundTool({ entries: [], write: () => "by the factory" } as never),
      transient: true,
    });
    expect((await run([made], { name: "billing_refund", arguments: { order: "A-3" } }, { container: Container })).results).toContain(
      "by the factory",
    );
  });

  it("says that services are missing by the name of its author's class", () => {
    expect(() => billing().executor({ allowedTools: ["*"] })).toThrow(
      "RefundTool: its constructor wants 1 service, but there is no container",
    );
  });

  it("gives nested classes as instances, and its own private members", async () => {
    const input = { order: "A-1", lines: [{ product: "tea" }] };
    expect(await invokeTool(billing().tool("refund"), input, { services: [new Ledger()] })).toBe("A-1 TEA true RefundTool");
  });

  it("is stubbed by a stub of its author's class, or by one of its own", async () => {
    const call = { name: "billing_refund", arguments: { order: "A-1" } };
    const byClass = stubTool(RefundTool, ({ order }) => `stubbed ${order}`);
    const byName = stubTool(billing().tool("refund"), () => "stubbed by name");
    expect((await run(billing().select("*"), call, { container: withStubs([byClass]) })).results).toBe("stubbed A-1");
    expect((await run(billing().select("*"), call, { container: withStubs([byName]) })).results).toBe("stubbed by name");
    expect((await run(billing().select("*"), call, { container: withStubs([byClass, byName]) })).results).toBe("stubbed by name");
    expect([byClass.calls.length, byName.calls.length]).toEqual([1, 2]);
  });

  it("checks input by its author's rules, in every dialect of them", () => {
    class Recipient {
      @IsEmail()
      email!: string;
    }
    @identifier("mail")
    @description("Sends a mail. Use when somebody is to be told.")
    class MailTool extends Tool {
      @input(Recipient)
      recipient!: Recipient;

      call() {
        return this.recipient.email;
      }
    }
    const registered = registryOf({ post: [MailTool] }).tool("mail");
    expect(validateToolInput(registered, { email: "no mail" })).toEqual(validateToolInput(MailTool, { email: "no mail" }));
    expect(validateToolInput(registered, { email: "a@b.example" })).toMatchObject({ ok: true });
  });

  it("may be extended, and the subclass is a tool of its own", async () => {
    const registered = billing().tool("refund");
    @identifier("refund_loudly")
    class LoudRefundTool extends (registered as typeof RefundTool) {
      override call() {
        return `LOUD ${super.call()}`;
      }
    }
    expect(LoudRefundTool.definition).toMatchObject({ name: "refund_loudly", description: RefundTool.definition.description });
    expect(await invokeTool(LoudRefundTool, { order: "A-1" }, { services: [new Ledger()] })).toContain("LOUD A-1");
    expect(registryOf({ shop: [LoudRefundTool] }).names).toEqual(["shop/refund_loudly"]);
  });

  it("is another one to who decides about a call: its full name is part of what is decided", () => {
    expect(definitionHash(billing().tool("refund").definition)).not.toBe(definitionHash(RefundTool.definition));
  });
});

describe("a tool that calls another of the registry by its class", () => {
  const nested = (registry: ToolRegistry, allowedTools: string[]) =>
    registry.executor({ allowedTools }, { container: withStubs([stubTool(RefundTool, () => "refunded")]) }).run("charge", {});

  it("reaches it under its full name", async () => {
    const records: string[] = [];
    const listener = { toolFinished: ({ tool }: { readonly tool: string }) => void records.push(tool) };
    const container = withStubs([stubTool(RefundTool, () => "refunded")]);
    await billing()
      .executor({ allowedTools: ["billing/*"] }, { container, listeners: [listener] })
      .run("billing/charge", {});
    expect(records).toEqual(["billing/refund", "billing/charge"]);
  });

  it("reaches none that the profile doesn't allow, declared dependency or not", async () => {
    await expect(nested(billing(), ["billing/charge"])).rejects.toThrow(
      "Tool 'billing/charge' needs another tool that isn't allowed here.",
    );
  });

  it("reaches the one that is allowed, if several toolboxes have the class", async () => {
    const registry = registryOf({ "": [RefundTool], shop: [RefundTool], billing: [ChargeTool] });
    expect(await nested(registry, ["billing/charge", "shop/*"])).toBe("refunded");
    expect(await nested(registry, ["billing/charge", "refund"])).toBe("refunded");
    await expect(nested(registry, ["billing/*"])).rejects.toThrow("isn't allowed here");
  });

  it("reaches by a registered class the tool of that name alone", async () => {
    const shop = registryOf({ shop: [RefundTool] }).tool("refund");
    @identifier("order")
    @description("Orders. Use when something is to be bought.")
    class OrderTool extends Tool {
      call({ call }: ToolContext) {
        return call(shop, { order: "A-1" });
      }
    }
    const registry = registryOf({ shop: [RefundTool, OrderTool], billing: [RefundTool] });
    const order = (allowedTools: string[]) =>
      registry.executor({ allowedTools }, { container: withStubs([stubTool(RefundTool, () => "refunded")]) }).run("shop/order", {});
    expect(await order(["shop/*"])).toBe("refunded");
    await expect(order(["shop/order", "billing/*"])).rejects.toThrow("isn't allowed here");
  });
});
