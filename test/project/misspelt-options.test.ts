import * as agentRoom from "../../src/agent/index.js";
import { Agent, type AgentClass } from "../../src/agent/index.js";
import type { RunState } from "../../src/loop/index.js";
import * as confirmationRoom from "../../src/confirmation/index.js";
import * as conversationRoom from "../../src/conversation/index.js";
import * as executionRoom from "../../src/execution/index.js";
import { createRunScope, isPermitted, ToolExecutor } from "../../src/execution/index.js";
import * as aiSdkRoom from "../../src/adapters/ai-sdk/index.js";
import * as langChainRoom from "../../src/adapters/langchain/index.js";
import * as mcpRoom from "../../src/mcp/index.js";
import * as nestRoom from "../../src/nest/index.js";
import * as openAiAgentsRoom from "../../src/adapters/openai-agents/index.js";
import * as webRoom from "../../src/web/index.js";
import { MemoryRunStateStore } from "../../src/web/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import * as durableRoom from "../../src/durable/index.js";
import * as evaluationRoom from "../../src/evaluation/index.js";
import * as storageRoom from "../../src/storage/index.js";
import * as toolRoom from "../../src/tool/index.js";
import { createTool, required, Tool } from "../../src/tool/index.js";
import { confirmationWith } from "../support/confirmation.js";

const object = { type: "object" } as const;
const look = createTool("look", "Looks. Use to see.", object, () => "Seen.");
const write = createTool("write", "Writes. Use to keep something.", object, () => "Written.");

function agentWith(...decorators: ((target: typeof Agent) => void)[]): Agent {
  class SomeAgent extends Agent {}
  agentRoom.model(new ScriptedModel(["Hello."]))(SomeAgent);
  for (const decorate of decorators) decorate(SomeAgent as never);
  return new SomeAgent();
}

/** The definition of a class with the decorator, which is where authors' mistakes are thrown. */
function defined(decorate: (target: never) => void): unknown {
  class SomeTool extends Tool {
    call() {
      return null;
    }
  }
  toolRoom.description("Does something. Use to test.")(SomeTool);
  decorate(SomeTool as never);
  return SomeTool.definition;
}

const posted = { messages: [{ id: "m1", role: "user", parts: [{ type: "text", text: "Hi" }] }] };
const stream = () => agentWith().stream("Hi");
const respond = {} as never;
const tools = [look];
const server = { name: "shop", version: "1.0.0", tools };
const pausedRuns = { store: new MemoryRunStateStore(), authorise: () => true };
const handler = { agent: () => agentWith(), format: "json" as const };

const agentName = "some_agent";
const runtime = (options: object = {}) =>
  new durableRoom.InProcessRuntime({
    storage: new storageRoom.MemoryStorage(),
    agents: [agentWith().constructor as AgentClass],
    ...options,
  });

const noReport = { version: 1, agent: agentName, results: [] } as never;

const dbosRuntime = (options: object = {}) => new durableRoom.DbosRuntime({ connectionString: "postgres:///", ...options });

/** A function with options: what its error names, an option that it has, the same misspelt, and what it does with options. */
type Taker = readonly [owner: string, right: string, wrong: string, take: (options: never) => unknown];

const takers: Readonly<Record<string, readonly Taker[]>> = {
  Agent: [
    ["generate", "maxSteps", "maxStep", (options) => agentWith().generate("Hi", options)],
    ["generate", "toolContext", "toolContxt", (options) => agentWith().stream("Hi", options).response],
    ["resume", "decisions", "decision", (options) => agentWith().resume({} as RunState, options)],
    ["resume", "stateSecret", "statesecret", (options) => agentWith().resumeStream({} as RunState, options).response],
    ["profile", "allowedTools", "allowedTool", (profile) => agentWith().generate("Hi", { profile })],
    ["budget", "tokens", "token", (budget) => agentWith().generate("Hi", { budget })],
  ],
  autoApprove: [["autoApprove", "tools", "tool", confirmationRoom.autoApprove]],
  confirmInTerminal: [["confirmInTerminal", "output", "outputs", confirmationRoom.confirmInTerminal]],
  confirmByWebhook: [["confirmByWebhook", "pollInterval", "pollIntervall", confirmationRoom.confirmByWebhook]],
  confirmationCardHtml: [
    ["confirmationCardHtml", "fields", "field", (options) => confirmationRoom.confirmationCardHtml(confirmationWith(), options)],
  ],
  trimHistory: [["trimHistory", "maxTurns", "maxTurn", (options) => conversationRoom.trimHistory([], options)]],
  budget: [["SomeAgent: a budget", "wallTime", "walltime", (limits) => agentWith(agentRoom.budget(limits)).generate("Hi")]],
  history: [["SomeAgent: @history", "maxTokens", "maxToken", (limits) => agentWith(agentRoom.history(limits)).generate("Hi")]],
  model: [
    ["SomeAgent: @model", "retries", "retry", (settings) => agentWith(agentRoom.model(new ScriptedModel([]), settings)).generate("Hi")],
  ],
  modelOptions: [
    [
      "SomeAgent: @modelOptions",
      "maxOutputTokens",
      "maxOutputToken",
      (options) => agentWith(agentRoom.modelOptions(options)).generate("Hi"),
    ],
  ],
  createRunScope: [["The scope of a run", "profile", "profil", createRunScope]],
  isPermitted: [["profile", "categories", "category", (profile) => isPermitted(look.definition, {}, profile)]],
  ToolExecutor: [
    ["ToolExecutor", "maxResultBytes", "maxResultByte", (options) => new ToolExecutor(options)],
    ["The scope of a run", "profile", "profiles", (options) => new ToolExecutor({ tools }).run(look, {}, options)],
    [
      "prepare",
      "decided",
      "decide",
      (options) => new ToolExecutor({ tools }).prepare({ id: "1", name: "look", arguments: {} }, createRunScope(), options),
    ],
  ],
  createTool: [
    [
      'createTool "send"',
      "requiresConfirmation",
      "requireConfirmation",
      (options: object) => createTool({ name: "send", description: "Sends.", inputSchema: object, execute: () => 1, ...options } as never),
    ],
  ],
  providerTool: [
    ['providerTool("openai/web_search")', "access", "acces", (options: object) => toolRoom.providerTool("openai/web_search", {}, options)],
  ],
  createToolDefinition: [
    [
      'createToolDefinition "send"',
      "requiresConfirmation",
      "requiresConfirmatio",
      (options: object) => toolRoom.createToolDefinition({ name: "send", description: "Sends.", schema: object, ...options } as never),
    ],
  ],
  required: [["SomeTool", "minLength", "minLenght", (options) => fieldOf(required(String, options))]],
  optional: [["SomeTool", "minimum", "minimun", (options) => fieldOf(toolRoom.optional(Number, options))]],
  access: [["SomeTool: access", "roles", "role", (options) => defined(toolRoom.access(options))]],
  concurrency: [["SomeTool: concurrency", "whenExceeded", "whenExeeded", (options) => defined(toolRoom.concurrency(3, options) as never)]],
  rateLimit: [["SomeTool: rateLimit", "whenExceeded", "whenExeeded", (options) => defined(toolRoom.rateLimit(3, 1_000, options) as never)]],
  isolated: [
    [
      "SomeTool: isolated",
      "services",
      "service",
      (options: object) => defined(toolRoom.isolated("worker", { module: __filename, ...options })),
    ],
  ],
  tool: [
    ["@tool", "requiresConfirmation", "requireConfirmation", (options) => defined(toolRoom.tool(options) as never)],
    ["SomeTool: access", "scopes", "scope", (access) => defined(toolRoom.tool({ access }) as never)],
  ],
  agentHandler: [
    ["agentHandler", "context", "contxt", (options: object) => webRoom.agentHandler({ ...handler, ...options })],
    [
      "agentHandler: pausedRuns",
      "claims",
      "claim",
      (more: object) => webRoom.agentHandler({ ...handler, pausedRuns: { ...pausedRuns, ...more } }),
    ],
  ],
  decideHandler: [
    ["decideHandler", "context", "contxt", (options: object) => webRoom.decideHandler({ ...handler, pausedRuns, ...options })],
    ["decideHandler: pausedRuns", "authorise", "authorize", (runs) => webRoom.decideHandler({ ...handler, pausedRuns: runs })],
  ],
  sendEventStream: [["An event stream", "includeState", "includeStates", (options) => webRoom.sendEventStream(stream(), respond, options)]],
  toEventStream: [["An event stream", "heartbeat", "heartbeats", (options) => webRoom.toEventStream(stream(), options)]],
  sendUiMessageStream: [
    ["A UI message stream", "decisions", "decision", (options) => webRoom.sendUiMessageStream(stream(), respond, options)],
  ],
  streamChat: [["generate", "toolContext", "toolContxt", (options) => webRoom.streamChat(agentWith(), posted, options)]],
  toUiMessageStream: [["A UI message stream", "onError", "onErrors", (options) => webRoom.toUiMessageStream(stream(), options)]],
  mcpHandler: [
    ["mcpHandler", "verify", "verfy", (options: object) => mcpRoom.mcpHandler({ ...server, ...options })],
    ["profile", "allowedTools", "allowedTool", (profile) => mcpRoom.mcpHandler({ ...server, profile })],
  ],
  serveMcp: [
    ["serveMcp", "toolContext", "toolContxt", (options: object) => mcpRoom.serveMcp({ ...server, transport: "stdio", ...options })],
    ["serveMcp: transport", "verify", "verfy", (more: object) => mcpRoom.serveMcp({ ...server, transport: { port: 0, ...more } })],
  ],
  mcpToolbox: [
    [
      'mcpToolbox "box"',
      "settings",
      "setting",
      (options: object) => mcpRoom.mcpToolbox({ command: "node" }, { prefix: "box", ...options }),
    ],
    ["mcpToolbox", "command", "comand", (address) => mcpRoom.mcpToolbox(address, { prefix: "box" })],
    ["mcpToolbox", "headers", "header", (more: object) => mcpRoom.mcpToolbox({ url: "http://localhost/", ...more }, { prefix: "box" })],
  ],
  ToolwrightModule: [
    ["ToolwrightModule.forRoot", "toolContext", "toolContxt", (options) => nestRoom.ToolwrightModule.forRoot(options)],
    ["ToolwrightModule.forRootAsync", "useFactory", "useFactori", (options) => nestRoom.ToolwrightModule.forRootAsync(options)],
    ["ToolwrightModule.forFeature", "tools", "tool", (options) => nestRoom.ToolwrightModule.forFeature(options)],
  ],
  MemoryStorage: [["MemoryStorage", "leaseDuration", "leaseTime", (options) => new storageRoom.MemoryStorage(options)]],
  FileStorage: [["FileStorage", "leaseDuration", "leaseTime", (options) => new storageRoom.FileStorage("data", options)]],
  SqliteStorage: [["SqliteStorage", "leaseDuration", "leaseTime", (options) => new storageRoom.SqliteStorage("data", options)]],
  PostgresStorage: [
    ["PostgresStorage", "connectionString", "conectionString", (address) => new storageRoom.PostgresStorage(address)],
    ["PostgresStorage", "schema", "schemas", (options) => new storageRoom.PostgresStorage({ connectionString: "postgres:///" }, options)],
  ],
  InProcessRuntime: [
    ["InProcessRuntime", "services", "service", (options: object) => runtime(options)],
    ["start", "context", "contxt", (options) => runtime().start(agentName, "Hello", options)],
    ["result", "abortSignal", "signal", (options) => runtime().result("run_1", options)],
    ["pending", "limit", "limits", (query) => runtime().pending(query)],
    ["events", "after", "from", (options) => runtime().events("run_1", options).next()],
    ["drain", "deadline", "timeout", (options) => runtime().drain(options)],
  ],
  prepareReplay: [["prepareReplay", "step", "steps", (options) => durableRoom.prepareReplay(agentWith(), "run_1", options)]],
  DbosRuntime: [
    ["DbosRuntime", "schema", "schemas", (options: object) => dbosRuntime(options)],
    ["limits of DbosRuntime", "rate", "rates", (limits) => dbosRuntime({ limits })],
    ["limits.perKey of DbosRuntime", "concurrency", "concurency", (perKey) => dbosRuntime({ limits: { perKey } })],
    ["limits.rate of DbosRuntime", "period", "perriod", (rate) => dbosRuntime({ limits: { rate } })],
  ],
  evaluate: [["evaluate", "runTools", "runTool", (options) => evaluationRoom.evaluate(options)]],
  compareEvaluations: [
    ["compareEvaluations", "score", "scores", (options) => evaluationRoom.compareEvaluations(noReport, noReport, options)],
  ],
  createWorker: [["createWorker", "concurrency", "concurency", (options) => durableRoom.createWorker(dbosRuntime(), options)]],
  runHandler: [
    [
      "runHandler",
      "authorise",
      "authorize",
      (options: object) =>
        webRoom.runHandler({ runtime: runtime(), start: () => ({ agent: agentName }), authorise: () => true, ...options }),
    ],
  ],
  toAiSdkTools: [["toAiSdkTools", "scope", "scop", (options) => aiSdkRoom.toAiSdkTools(tools, options)]],
  toMastraTools: [["toMastraTools", "scope", "scop", (options) => aiSdkRoom.toMastraTools(tools, options)]],
  toLangChainTools: [["toLangChainTools", "scope", "scop", (options) => langChainRoom.toLangChainTools(tools, options)]],
  toOpenAiAgentsTools: [["toOpenAiAgentsTools", "scope", "scop", (options) => openAiAgentsRoom.toOpenAiAgentsTools(tools, options)]],
};

function fieldOf(decorate: (...place: never) => void): unknown {
  class SomeTool extends Tool {
    name!: string;
    call() {
      return null;
    }
  }
  toolRoom.description("Does something. Use to test.")(SomeTool);
  (decorate as (target: object, key: string) => void)(SomeTool.prototype, "name");
  return SomeTool.definition;
}

/** Exported functions that take no options. */
const withoutOptions: ReadonlySet<string> = new Set([
  ...["block", "pass", "transform", "approve", "approveEdited", "deny", "answer", "openConfirmations", "openQuestions"],
  ...["confirmationCard", "decisionFromForm", "readRecording"],
  ...["signDecision", "verifyWebhook", "guardrail", "instructions", "maxSteps", "usesContainer", "usesMiddleware", "usesTools"],
  ...["MemoryConversationStore", "FileConversationStore", "MemoryDecisionClaims", "FileDecisionClaims", "AgentStream"],
  ...["canonicalJson", "useContainer", "definitionHash", "toToolError", "modelText", "normalise", "PreparedCall", "AttemptLedger"],
  ...[
    "universalDefinition",
    "redact",
    "redactText",
    "addSecret",
    "hideSecrets",
    "failure",
    "json",
    "text",
    "image",
    "file",
    "markAsInterrupt",
    "isInterrupt",
  ],
  ...["deferred", "toolSearch"],
  ...["answeredBy", "category", "consequenceLevel", "dependsOn", "description", "effect", "example", "exclusive", "identifier", "input"],
  "requiresConfirmation",
  ...["retryable", "returns", "tags", "timeout", "version", "isToolClass", "Tool", "ToolInterrupt"],
  ...["validateToolInput", "validateToolInputAsync", "validateToolOutput", "validateToolArgs"],
  ...["MemoryRunStateStore", "nodeRequestOf", "toNodeHandler", "approvalResponses", "lastUserMessage"],
  ...["AgentFactory", "ToolContainer", "repairToolCall"],
  ...["readCases", "evaluationHtml", "evaluationText", "comparisonText"],
]);

const rooms = {
  agentRoom,
  durableRoom,
  evaluationRoom,
  confirmationRoom,
  executionRoom,
  storageRoom,
  toolRoom,
  webRoom,
  mcpRoom,
  nestRoom,
  aiSdkRoom,
  langChainRoom,
  openAiAgentsRoom,
};

it.each(Object.entries(rooms))("every exported function of %s is in the table, or takes no options", (_room, exported) => {
  const functions = Object.entries(exported).filter(([, value]) => typeof value === "function" && !(value.prototype instanceof Error));
  const missing = functions.filter(([name]) => !Object.hasOwn(takers, name) && !withoutOptions.has(name));
  expect(missing.map(([name]) => name)).toEqual([]);
});

/** What the work throws. JavaScript gives what the types exclude. */
async function thrownBy(work: (given: never) => unknown, given: unknown): Promise<string> {
  try {
    await work(given as never);
  } catch (error) {
    return String(error);
  }
  return "nothing";
}

const rows = Object.entries(takers).flatMap(([name, list]) =>
  list.map(([owner, right, wrong, take]) => [name, wrong, owner, right, take] as const),
);

describe("a misspelt option is refused, with the owner and the option that was meant:", () => {
  it.each(rows)("%s, %s", async (_name, wrong, owner, right, take) => {
    for (const value of ["s3cret", undefined]) {
      const message = await thrownBy(take, { [wrong]: value });
      expect(message).toContain(owner);
      expect(message).toContain(`"${wrong}"`);
      expect(message).toMatch(new RegExp(`\\b${right}\\b`));
      expect(message).not.toContain("s3cret");
    }
  });
});

describe("what has no options of its own, and would be an object without any, is refused:", () => {
  const takesAll = rows.filter(([name]) => ["Agent", "autoApprove", "createRunScope", "ToolExecutor", "isPermitted"].includes(name));

  it.each(takesAll)("a promise of options by %s (%s)", async (_name, _wrong, _owner, _right, take) => {
    expect(await thrownBy(take, Promise.resolve({}))).toMatch(/TypeError|RangeError/);
  });
});

describe("a list that names no one is rejected, because every caller meets it:", () => {
  it.each<[string, object]>([
    ["roles", { roles: [] }],
    ["scopes", { scopes: [] }],
    ["roles beside scopes", { scopes: ["orders"], roles: [] }],
    ["neither", {}],
    ["a list that isn't there", { roles: undefined }],
  ])("%s", async (_name, requirements) => {
    const made = (): unknown =>
      createTool({ name: "pay", description: "Pays.", inputSchema: object, access: requirements as never, execute: () => 1 });
    for (const take of [() => defined(toolRoom.access(requirements)), made]) {
      expect(await thrownBy(take, undefined)).toMatch(/^ToolDefinitionError: .*allows every caller/);
    }
  });
});

describe("autoApprove refuses a list of tools that", () => {
  it.each<[string, unknown]>([
    ["an environment left out", { tools: undefined, maxConsequenceLevel: "low" }],
    ["is one tool", { tools: look }],
    ["is one name", { tools: "look" }],
    ["holds something else", { tools: [look, { name: "write" }] }],
  ])("%s", async (_name, options) => {
    expect(await thrownBy(confirmationRoom.autoApprove, options)).toContain("TypeError: autoApprove: tools must be a list");
  });
});

describe("what a function of the application answers is checked in the same way:", () => {
  const ran: string[] = [];
  const recording = createTool("write", "Writes. Use to keep something.", object, () => ran.push("write"));

  const stepping = (changes: unknown) => {
    @agentRoom.model(new ScriptedModel([{ toolCalls: [{ name: "write", arguments: {} }] }, "Done."]))
    @agentRoom.usesTools([look, recording])
    class SteppingAgent extends Agent {
      override prepareStep() {
        return changes as never;
      }
    }

    return new SteppingAgent().generate("Go");
  };

  it.each<[string, unknown, string]>([
    [
      "allowedTools",
      { allowedTools: ["look"] },
      'prepareStep: unknown option "allowedTools". Known are: model, tools, instructions, toolChoice.',
    ],
    ["tool", { tool: [look] }, 'unknown option "tool". Did you mean "tools"?'],
    ["a list of tools", [look], "prepareStep: takes options, such as { model: ... }, got a list."],
    ["false", false, "got a boolean."],
    ["a list that is null", { tools: null }, "tools is null"],
    ["a choice that is none", { toolChoice: "non" }, 'toolChoice must be "auto", "required", "none" or { tool: "search" }'],
  ])("prepareStep gives %s: nothing runs", async (_name, changes, message) => {
    ran.length = 0;
    await expect(stepping(changes)).rejects.toThrow(message);
    expect(ran).toEqual([]);
  });

  it("prepareStep may give nothing", async () => {
    expect((await stepping(undefined)).text).toBe("Done.");
  });

  it.each<[string, unknown]>([
    ["a promise, whose profile is out of sight", Promise.resolve({ profile: { allowedTools: ["look"] } })],
    ["nothing", undefined],
    ["a misspelt profile", { profil: { allowedTools: ["look"] } }],
    ["a profile with a misspelt list", { profile: { allowedTool: ["look"] } }],
  ])("the scope of an adapter gives %s: nothing runs", async (_name, scope) => {
    ran.length = 0;
    const { write: adapted } = aiSdkRoom.toAiSdkTools([recording], { scope: () => scope as never });
    await expect(async () => adapted?.execute?.({}, { toolCallId: "1", messages: [] } as never)).rejects.toThrow(TypeError);
    expect(ran).toEqual([]);
  });

  it("a tool choice of generate that is none is refused", async () => {
    expect(await thrownBy((toolChoice) => agentWith().generate("Hi", { toolChoice }), { tools: "look" })).toContain(
      "The option toolChoice must be",
    );
  });
});

it("an approval names the call, or the confirmation that the person saw", () => {
  for (const call of [undefined, {}, { callId: "1" }, { callId: "1", confirmationId: "2" }]) {
    expect(() => confirmationRoom.approve(call as never)).toThrow(
      "A decision takes the id of a call, or the confirmation that the person saw",
    );
  }
});

it("a profile that is handed to an executor without createRunScope is checked too", async () => {
  const scope = { ...createRunScope(), profile: { allowedTool: ["look"] } as never };
  const call = (): unknown => new ToolExecutor({ tools: [write] }).call({ id: "1", name: "write", arguments: {} }, scope);
  expect(call).toThrow('The execution profile knows allowedTools, tags, categories, not "allowedTool"');
});
