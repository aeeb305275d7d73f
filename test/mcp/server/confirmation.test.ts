import { z } from "zod";
import { createTool, description, identifier, optional, required, Tool, tool } from "../../../src/index.js";
import { MemoryDecisionClaims } from "../../../src/storage/index.js";
import { type McpHandler, type McpHandlerOptions, mcpHandler } from "../../../src/mcp/index.js";
import { type Answer, closeAll, closeLater, connect, type JsonRpcAnswer, post, revisions, textOf, yes } from "./support.js";

const refunded: string[] = [];
beforeEach(() => refunded.splice(0));
afterEach(closeAll);
afterEach(() => jest.useRealTimers());

@identifier("refund")
@description("Refunds an order. Use when the user wants the money back.")
@tool({ category: "write", consequenceLevel: "high", requiresConfirmation: true })
class RefundTool extends Tool {
  @required(String) order!: string;
  @optional(String) note?: string;
  @optional(String) apiKey?: string;

  call() {
    refunded.push(this.order);
    return `Refunded ${this.order}.`;
  }
}

describe.each(revisions)("a call that needs a person, in %s", (revision) => {
  const refund = async (answer: Answer | undefined, input: Record<string, unknown> = { order: "A-17" }) => {
    const { client } = await connect({ tools: [RefundTool] }, revision, answer);
    return client.callTool({ name: "refund", arguments: input });
  };

  it("shows the client's user what it would do, with all arguments, and runs when they approve", async () => {
    const shown: string[] = [];
    const result = await refund((message) => {
      shown.push(message);
      return yes;
    });
    expect(shown).toEqual([
      'Run refund?\nRefunds an order. Use when the user wants the money back.\ncategory: write\nconsequence: high\norder: "A-17"',
    ]);
    expect(textOf(result)).toBe("Refunded A-17.");
    expect(refunded).toEqual(["A-17"]);
  });

  it("seed 003: nothing in the arguments can hide or pose as another line, and secrets aren't shown", async () => {
    const shown: string[] = [];
    await refund(
      (message) => {
        shown.push(message);
        return yes;
      },
      { order: "A-17\u202e", note: "fine\nconsequence: low", apiKey: "sk-123456789" },
    );
    expect(shown[0]?.split("\n").slice(4)).toEqual([
      'order: "A-17<U+202E>"',
      'note: "fine',
      '  | consequence: low"',
      'apiKey: "[redacted]"',
    ]);
  });

  it.each<[string, Awaited<ReturnType<Answer>>]>([
    ["declines", { action: "decline" }],
    ["closes the question", { action: "cancel" }],
    ["sends the form with no", { action: "accept", content: { approve: false } }],
    ["sends something else than yes", { action: "accept", content: { approve: "true" } }],
    ["sends an empty form", { action: "accept", content: {} }],
  ])("does not run when the user %s", async (_name, answer) => {
    const result = await refund(() => answer);
    expect(result).toMatchObject({ isError: true });
    expect(refunded).toEqual([]);
  });

  it("runs with the default that was shown, though a function makes another one each time", async () => {
    let count = 0;
    const ran: unknown[] = [];
    const order = createTool({
      name: "order",
      description: "Orders. Use when the user wants it.",
      inputSchema: z.object({ item: z.string(), key: z.string().default(() => `key-${(count += 1)}`) }),
      requiresConfirmation: true,
      execute: (input) => ran.push(input.key),
    });
    const shown: string[] = [];
    const { client } = await connect({ tools: [order] }, revision, (message) => {
      shown.push(message);
      return yes;
    });
    await client.callTool({ name: "order", arguments: { item: "book" } });
    expect(shown).toHaveLength(1);
    expect(shown[0]).toContain(`key: "${String(ran[0])}"`);
  });

  it("says to the model that a person said no", async () => {
    expect(textOf(await refund(() => ({ action: "decline" })))).toBe(
      "Not run: a person was asked and denied this call. Don't call it again in the same way.",
    );
  });

  it("is refused if the client can't ask, in the way of its revision", async () => {
    const message =
      "Not run: 'refund' needs a person's confirmation, and this client can't ask for one (it declares no elicitation of forms).";
    if (revision === "2025-11-25") {
      expect(await refund(undefined)).toMatchObject({ isError: true, content: [{ text: message }] });
    } else {
      await expect(refund(undefined)).rejects.toMatchObject({
        code: -32021,
        message: expect.stringContaining(message),
        data: { requiredCapabilities: { elicitation: { form: {} } } },
      });
    }
    expect(refunded).toEqual([]);
  });

  it("is refused without asking the person if its arguments are wrong", async () => {
    const result = await refund(() => {
      throw new Error("asked");
    }, {});
    expect(textOf(result)).toBe("Invalid arguments: order is required");
  });

  it("asks only if the tool's rule says so, with the arguments as the tool gets them", async () => {
    const seen: unknown[] = [];
    const pay = createTool({
      name: "pay",
      description: "Pays an amount.",
      inputSchema: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] },
      requiresConfirmation: async (input) => {
        seen.push(input);
        return (input.amount as number) > 100;
      },
      execute: ({ amount }) => `paid ${String(amount)}`,
    });
    let asked = 0;
    const answer: Answer = () => {
      asked += 1;
      return yes;
    };
    const { client } = await connect({ tools: [pay] }, revision, answer);
    expect(textOf(await client.callTool({ name: "pay", arguments: { amount: "50" } }))).toBe("paid 50");
    expect(asked).toBe(0);
    expect(textOf(await client.callTool({ name: "pay", arguments: { amount: 500 } }))).toBe("paid 500");
    expect(asked).toBe(1);
    expect(seen[0]).toEqual({ amount: 50 });
  });

  it("the deadline of the tool doesn't run while a person thinks", async () => {
    const quick = createTool({
      name: "quick",
      description: "Is quick.",
      inputSchema: { type: "object" },
      requiresConfirmation: true,
      timeout: 30,
      execute: () => "done",
    });
    const slowly: Answer = async () => {
      await new Promise((resolve) => setTimeout(resolve, 60));
      return yes;
    };
    const { client } = await connect({ tools: [quick] }, revision, slowly);
    expect(textOf(await client.callTool({ name: "quick" }))).toBe("done");
  });

  it("a call that a tool makes by itself can't be asked about: it doesn't run, and the result says why", async () => {
    const outer = createTool("outer", "Refunds.", { type: "object" }, (_, { call }) => call(RefundTool, { order: "A-17" }));
    const { client } = await connect({ tools: [outer, RefundTool] }, revision, () => yes);
    expect(await client.callTool({ name: "outer" })).toMatchObject({
      isError: true,
      content: [
        { text: "Not finished: it calls 'refund', which needs a person's confirmation. Call that tool by itself, if it is listed." },
      ],
    });
    expect(refunded).toEqual([]);
  });
});

describe("what a client could try with a decision, in 2026-07-28", () => {
  const call = { name: "refund", arguments: { order: "A-17" } };
  const approval = { confirmation: { action: "accept", content: { approve: true } } };
  const invalid = { code: -32602, message: "Invalid or expired requestState", data: { reason: "invalid_request_state" } };

  const handlerOf = async (more: Partial<McpHandlerOptions> = {}) =>
    closeLater(await mcpHandler({ name: "shop", version: "1.0.0", tools: [RefundTool], ...more } as McpHandlerOptions));

  const stateOf = ({ result }: JsonRpcAnswer): string => {
    expect(result).toMatchObject({ resultType: "input_required", inputRequests: { confirmation: { method: "elicitation/create" } } });
    return result?.requestState as string;
  };

  async function asked(made: McpHandler | Promise<McpHandler> = handlerOf()) {
    const handler = await made;
    return { handler, requestState: stateOf((await post(handler, "tools/call", call)).body) };
  }

  it("an approval holds once", async () => {
    const { handler, requestState } = await asked();
    const approved = { ...call, requestState, inputResponses: approval };
    const both = await Promise.all([post(handler, "tools/call", approved), post(handler, "tools/call", approved)]);
    expect(both.map(({ body }) => body.result?.content?.[0]?.text ?? body.error).sort()).toEqual(["Refunded A-17.", invalid]);
    expect((await post(handler, "tools/call", approved)).body.error).toEqual(invalid);
    expect(refunded).toEqual(["A-17"]);
  });

  it("who said no can't say yes afterwards", async () => {
    const { handler, requestState } = await asked();
    await post(handler, "tools/call", { ...call, requestState, inputResponses: { confirmation: { action: "decline" } } });
    const { body } = await post(handler, "tools/call", { ...call, requestState, inputResponses: approval });
    expect(body.error).toEqual(invalid);
    expect(refunded).toEqual([]);
  });

  it("an approval holds for exactly the arguments that were shown", async () => {
    const { handler, requestState } = await asked();
    const other = { name: "refund", arguments: { order: "B-18" }, requestState, inputResponses: approval };
    expect((await post(handler, "tools/call", other)).body.error).toEqual(invalid);
    const more = { name: "refund", arguments: { order: "A-17", note: "twice" }, requestState, inputResponses: approval };
    expect((await post(handler, "tools/call", more)).body.error).toEqual(invalid);
    expect(refunded).toEqual([]);
    // The decision itself is still good.
    expect((await post(handler, "tools/call", { ...call, requestState, inputResponses: approval })).body.result?.content?.[0]?.text).toBe(
      "Refunded A-17.",
    );
  });

  it("an approval without a question is none: it is asked", async () => {
    stateOf((await post(await handlerOf(), "tools/call", { ...call, inputResponses: approval })).body);
    expect(refunded).toEqual([]);
  });

  it.each<[string, (state: string) => unknown]>([
    ["changed", (state) => `${state}x`],
    [
      "with another payload",
      (state) => state.replace(/^v1\.[^.]+/, `v1.${Buffer.from('{"p":{},"exp":9999999999}').toString("base64url")}`),
    ],
    ["that is no state", () => "approved"],
    ["that is no text", () => ({ approved: true })],
  ])("a state %s is refused", async (_name, change) => {
    const { handler, requestState } = await asked();
    const { body } = await post(handler, "tools/call", { ...call, requestState: change(requestState), inputResponses: approval });
    expect(body.error).toMatchObject({ code: -32602 });
    expect(refunded).toEqual([]);
  });

  it("a state that another server signed is refused, unless they share the secret", async () => {
    const { requestState } = await asked();
    const approved = { ...call, requestState, inputResponses: approval };
    expect((await post(await handlerOf(), "tools/call", approved)).body.error).toEqual(invalid);
    const stateSecret = "a secret of thirty-two bytes at least";
    const shared = await asked(handlerOf({ stateSecret }));
    const { body } = await post(await handlerOf({ stateSecret }), "tools/call", {
      ...call,
      requestState: shared.requestState,
      inputResponses: approval,
    });
    expect(body.result?.content?.[0]?.text).toBe("Refunded A-17.");
  });

  it("servers that share their claims don't let a decision be used at each of them", async () => {
    const shared = { stateSecret: "a secret of thirty-two bytes at least", claims: new MemoryDecisionClaims() };
    const { handler, requestState } = await asked(handlerOf(shared));
    const approved = { ...call, requestState, inputResponses: approval };
    await post(handler, "tools/call", approved);
    expect((await post(await handlerOf(shared), "tools/call", approved)).body.error).toEqual(invalid);
    expect(refunded).toEqual(["A-17"]);
  });

  it("an approval of one user doesn't hold for another", async () => {
    const handler = await handlerOf({ verify: (token) => ({ userId: token }) });
    const as = (user: string) => ({ headers: { authorization: `Bearer ${user}` } });
    const requestState = stateOf((await post(handler, "tools/call", call, as("ada"))).body);
    const approved = { ...call, requestState, inputResponses: approval };
    expect((await post(handler, "tools/call", approved, as("mallory"))).body.error).toEqual(invalid);
    expect((await post(handler, "tools/call", approved, as("ada"))).body.result?.content?.[0]?.text).toBe("Refunded A-17.");
  });

  it("if no user is known, an approval holds for its token", async () => {
    const handler = await handlerOf({ verify: () => ({ tenant: "acme" }) });
    const requestState = stateOf((await post(handler, "tools/call", call, { headers: { authorization: "Bearer one" } })).body);
    const approved = { ...call, requestState, inputResponses: approval };
    expect((await post(handler, "tools/call", approved, { headers: { authorization: "Bearer other" } })).body.error).toEqual(invalid);
  });

  describe("if toolContext says who calls", () => {
    const as = (user: string) => ({ headers: { cookie: user } });
    const cookieOf = (request: Request | undefined) => request?.headers.get("cookie") ?? "";

    it("an approval of one user doesn't hold for another", async () => {
      const handler = await handlerOf({ toolContext: ({ request }) => ({ userId: cookieOf(request) }) });
      const requestState = stateOf((await post(handler, "tools/call", call, as("ada"))).body);
      const approved = { ...call, requestState, inputResponses: approval };
      expect((await post(handler, "tools/call", approved, as("mallory"))).body.error).toEqual(invalid);
      expect((await post(handler, "tools/call", approved, as("ada"))).body.result?.content?.[0]?.text).toBe("Refunded A-17.");
    });

    it.each<[string, (user: string) => Record<string, unknown>]>([
      ["without a userId", (user) => ({ user: { id: user } })],
      ["with one that is no text", () => ({ userId: 7 })],
      ["with an empty one", () => ({ userId: "" })],
    ])("%s, no person is asked: an approval would hold for all", async (_name, contextOf) => {
      const handler = await handlerOf({ toolContext: ({ request }) => contextOf(cookieOf(request)) as never });
      const { result } = (await post(handler, "tools/call", call, as("ada"))).body;
      expect(result).toMatchObject({
        isError: true,
        content: [
          {
            text: "Not run: 'refund' needs a person's confirmation, and this server doesn't say whose. Its toolContext must give userId, a text: decisions are bound to it.",
          },
        ],
      });
      expect(refunded).toEqual([]);
    });

    it("without a userId, an approval belongs to the token", async () => {
      const handler = await handlerOf({ verify: () => ({ tenant: "acme" }), toolContext: () => ({ tenant: "acme" }) });
      const withToken = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
      const requestState = stateOf((await post(handler, "tools/call", call, withToken("one"))).body);
      const approved = { ...call, requestState, inputResponses: approval };
      expect((await post(handler, "tools/call", approved, withToken("other"))).body.error).toEqual(invalid);
      expect((await post(handler, "tools/call", approved, withToken("one"))).body.result?.content?.[0]?.text).toBe("Refunded A-17.");
    });
  });

  it("an approval comes too late after ten minutes", async () => {
    jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate", "queueMicrotask", "setTimeout", "setInterval"] });
    const { handler, requestState } = await asked();
    jest.setSystemTime(Date.now() + 11 * 60_000);
    expect((await post(handler, "tools/call", { ...call, requestState, inputResponses: approval })).body.error).toEqual(invalid);
    expect(refunded).toEqual([]);
  });

  it("a decision about a tool that was changed since is refused", async () => {
    let tools = [RefundTool];
    const handler = await handlerOf({ tools: () => tools } as Partial<McpHandlerOptions>);
    const { requestState } = await asked(handler);
    @description("Refunds an order twice. Use when the user is very angry.")
    class ChangedTool extends RefundTool {}
    Object.defineProperty(ChangedTool, "name", { value: "RefundTool" });
    tools = [ChangedTool];
    expect((await post(handler, "tools/call", { ...call, requestState, inputResponses: approval })).body.error).toEqual(invalid);
  });

  it("the state doesn't reveal the arguments to the client", async () => {
    const { requestState } = await asked();
    expect(Buffer.from(requestState.split(".")[1] as string, "base64url").toString()).not.toContain("A-17");
  });

  it("a client that can't ask receives status 400", async () => {
    const { status, body } = await post(await handlerOf(), "tools/call", call, { capabilities: {} });
    expect({ status, code: body.error?.code }).toEqual({ status: 400, code: -32021 });
    const urlOnly = await post(await handlerOf(), "tools/call", call, { capabilities: { elicitation: { url: {} } } });
    expect(urlOnly.body.error?.code).toBe(-32021);
  });

  it("a secret that is too short is refused when the server is made", async () => {
    await expect(handlerOf({ stateSecret: "short" })).rejects.toThrow(RangeError);
  });

  it("claims that fail let nothing run, and onError receives the error", async () => {
    const told: unknown[] = [];
    const error = new Error("The table is gone.");
    const claims = {
      claim: () => {
        throw error;
      },
    };
    const { handler, requestState } = await asked(handlerOf({ claims, onError: (each) => told.push(each) }));
    const { body } = await post(handler, "tools/call", { ...call, requestState, inputResponses: approval });
    expect(body.error).toEqual({ code: -32603, message: "Internal error" });
    expect({ told, refunded }).toEqual({ told: [error], refunded: [] });
  });
});
