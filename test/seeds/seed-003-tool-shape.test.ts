import { createRunScope, markAsInterrupt, ToolExecutor, universalDefinition } from "../../src/execution/index.js";
import { createTool, createToolDefinition, type ToolClass, type ToolContext, ToolInterrupt, type ToolResult } from "../../src/index.js";

/** Seed 003, the universal shape of a tool and its result. */

const holdings = {
  name: "get_holdings",
  description: "Gets the user's holdings. Use when the user asks what they own.",
  schema: { type: "object", properties: { account: { type: "string" } }, required: ["account"] },
  category: "read",
  consequenceLevel: "low",
  requiresConfirmation: false,
  execute: async ({ account }: Record<string, unknown>): Promise<ToolResult> => ({
    tool: "get_holdings",
    fetchedAt: new Date().toISOString(),
    data: { account },
  }),
} as const;

const call = (tool: ToolClass, args: Record<string, unknown>, abortSignal?: AbortSignal) =>
  new ToolExecutor({ tools: [tool] }).call(
    { id: "call_1", name: tool.identifier, arguments: args },
    createRunScope(abortSignal === undefined ? {} : { abortSignal }),
  );

describe('seed 003, "ToolDefinition"', () => {
  it("Required Fields: the universal shape makes a tool, with a timeout of 15,000 ms", async () => {
    const tool = createToolDefinition(holdings);
    expect(tool.definition).toMatchObject({
      name: "get_holdings",
      parametersSchema: holdings.schema,
      category: "read",
      consequenceLevel: "low",
      requiresConfirmation: false,
      timeout: 15_000,
    });
    expect(await call(tool, { account: "a" })).toMatchObject({ tool: "get_holdings", data: { account: "a" } });
  });

  it("Optional Fields: tags, version and dependsOn", () => {
    const tool = createToolDefinition({ ...holdings, tags: ["portfolio"], version: "1.0.0", dependsOn: ["get_account"] });
    expect(tool.definition).toMatchObject({ tags: ["portfolio"], version: "1.0.0", dependsOn: ["get_account"] });
  });

  it("every tool has the universal shape: universalDefinition gives it", async () => {
    const universal = universalDefinition(createToolDefinition(holdings));
    expect(universal).toMatchObject({
      name: "get_holdings",
      schema: holdings.schema,
      category: "read",
      consequenceLevel: "low",
      requiresConfirmation: false,
      timeout: 15_000,
    });
    const result = await universal.execute({ account: "a" }, {} as ToolContext);
    expect(result).toMatchObject({ tool: "get_holdings", fetchedAt: expect.any(String), data: { account: "a" } });
  });

  it("Category Definitions and Consequence Level are independent, and confirmation is inferred from neither", () => {
    const tool = createToolDefinition({ ...holdings, category: "delete", consequenceLevel: "high" });
    expect(tool.definition).toMatchObject({ category: "delete", consequenceLevel: "high", requiresConfirmation: false });
  });

  it("execute: an error that it returns fails the call, with the errorType that it gives", async () => {
    const now = new Date().toISOString();
    const refusing = {
      ...holdings,
      execute: () => ({ tool: "get_holdings", fetchedAt: now, error: "No such account", errorType: "no_account" }),
    };
    expect(await call(createToolDefinition(refusing), { account: "a" })).toMatchObject({
      tool: "get_holdings",
      error: "No such account",
      errorType: "no_account",
    });
  });

  it("requiresConfirmation: a call pauses before execute and waits for approval", async () => {
    let runs = 0;
    const tool = createToolDefinition({
      ...holdings,
      requiresConfirmation: true,
      execute: (input) => {
        runs += 1;
        return holdings.execute(input);
      },
    });
    await expect(call(tool, { account: "a" })).rejects.toBeInstanceOf(ToolInterrupt);
    expect(runs).toBe(0);
  });
});

describe('seed 003, "ToolResult"', () => {
  const ok = createTool({ name: "ok", description: "d", inputSchema: { type: "object" }, execute: () => undefined });
  const bad = createTool({
    name: "bad",
    description: "d",
    inputSchema: { type: "object" },
    execute: () => {
      throw new Error("disk full");
    },
  });

  it("Constraints 1 and 2: there is no success flag and no timestamp", async () => {
    expect(Object.keys(await call(ok, {})).sort()).toEqual(["data", "fetchedAt", "tool"]);
    expect(Object.keys(await call(bad, {})).sort()).toEqual(["error", "errorType", "fetchedAt", "tool"]);
  });

  it("Constraint 3: nothing is thrown, except an interrupt, which passes through", async () => {
    expect(await call(bad, {})).toMatchObject({ error: "disk full" });
    const interrupt = new ToolInterrupt("asks", "call_1", "waits");
    const asks = createTool({
      name: "asks",
      description: "d",
      inputSchema: { type: "object" },
      execute: () => {
        throw interrupt;
      },
    });
    await expect(call(asks, {})).rejects.toBe(interrupt);
  });

  it("Constraint 3: LangGraph's interrupt, and an application's error that is marked as one, pass through as they are", async () => {
    for (const interrupt of [Object.assign(new Error("paused"), { is_bubble_up: true }), markAsInterrupt(new Error("ask the boss"))]) {
      const pauses = createTool({
        name: "pauses",
        description: "d",
        inputSchema: { type: "object" },
        execute: () => Promise.reject(interrupt),
      });
      await expect(call(pauses, {})).rejects.toBe(interrupt);
    }
  });

  it("Constraint 4: fetchedAt marks when the attempt was made, not when it ended", async () => {
    let began = "";
    const slow = createTool({
      name: "slow",
      description: "d",
      inputSchema: { type: "object" },
      execute: async () => {
        began = new Date().toISOString();
        await new Promise((resolve) => setTimeout(resolve, 20));
      },
    });
    const { fetchedAt } = await call(slow, {});
    expect(fetchedAt <= began).toBe(true);
  });

  it("Constraint 4: fetchedAt is always set, also on an error, as an ISO 8601 time", async () => {
    for (const result of [await call(ok, {}), await call(bad, {})]) {
      expect(new Date(result.fetchedAt).toISOString()).toBe(result.fetchedAt);
    }
  });

  it("Constraint 5: data and error exclude each other; no data is null", async () => {
    expect(await call(ok, {})).toMatchObject({ data: null });
    expect(await call(bad, {})).not.toHaveProperty("data");
  });
});

describe('seed 003, "ToolContext"', () => {
  it("Standard Fields: userId, auth and client come from the application, abortSignal from the framework", async () => {
    let seen: unknown[] = [];
    const tool = createTool({
      name: "look",
      description: "d",
      inputSchema: { type: "object" },
      execute: (_input, { userId, auth, client, abortSignal }) => {
        seen = [userId, auth, client, abortSignal instanceof AbortSignal];
      },
    });
    await new ToolExecutor({ tools: [tool] }).run("look", {}, { toolContext: { userId: "7", auth: "jwt", client: "http" } });
    expect(seen).toEqual(["7", "jwt", "http", true]);
  });

  it("AbortSignal Contract: an aborted request is answered before anything runs", async () => {
    let runs = 0;
    const tool = createTool({ name: "io", description: "d", inputSchema: { type: "object" }, execute: () => (runs += 1) });
    expect(await call(tool, {}, AbortSignal.abort())).toMatchObject({
      tool: "io",
      fetchedAt: expect.any(String),
      error: "Request was cancelled",
      errorType: "cancelled",
    });
    expect(runs).toBe(0);
  });

  it("AbortSignal Contract: a request aborted midway shows on the signal that the tool checks before its next I/O", async () => {
    const controller = new AbortController();
    const steps: string[] = [];
    const tool = createTool({
      name: "io",
      description: "d",
      inputSchema: { type: "object" },
      execute: async (_input, { abortSignal }) => {
        for (const step of ["first", "second"]) {
          if (abortSignal.aborted) return;
          steps.push(step);
          controller.abort();
          await Promise.resolve();
        }
      },
    });
    expect((await call(tool, {}, controller.signal)).errorType).toBe("cancelled");
    await new Promise(setImmediate);
    expect(steps).toEqual(["first"]);
  });

  it("Extension: services of the application reach the tool beside the standard fields", async () => {
    const portfolio = { load: (userId: unknown) => `holdings of ${String(userId)}` };
    const tool = createTool({
      name: "look",
      description: "d",
      inputSchema: { type: "object" },
      execute: (_input, context) => (context as ToolContext & { portfolio: typeof portfolio }).portfolio.load(context.userId),
    });
    expect(await new ToolExecutor({ tools: [tool] }).run("look", {}, { toolContext: { userId: "7", portfolio } })).toBe("holdings of 7");
  });
});
