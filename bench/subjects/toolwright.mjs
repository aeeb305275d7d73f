/** Toolwright as an application uses it: a decorated tool class, the executor that every call goes through, an agent class. */
import {
  Agent,
  createTool,
  deferred,
  description as describedAs,
  Integer,
  identifier,
  maxSteps,
  model,
  optional,
  required,
  Tool,
  timeout,
  usesTools,
} from "toolwright";
import { createRunScope, ToolExecutor } from "toolwright/execution";
import { toProviderTools } from "toolwright/provider-tools";
import {
  answer,
  decorate,
  description,
  invalidArguments,
  name,
  nextCallId,
  pause,
  question,
  searchOrders,
  statuses,
  validArguments,
  validText,
  zipPattern,
} from "../fixture.mjs";

const usage = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 0, reasoningTokens: 0 };

/** A new tool class, as TypeScript compiles it (fields are declared, so they exist on every instance). */
function defineTool({ index = "", run = async (tool) => searchOrders(tool), deadline } = {}) {
  class Address {
    street;
    zip;
  }
  decorate(Address, "street", required(String));
  decorate(Address, "zip", required(String, { pattern: zipPattern }));

  class SearchOrders extends Tool {
    customer;
    status;
    limit;
    tags;
    address;

    call(context) {
      return run(this, context);
    }
  }
  decorate(SearchOrders, "customer", required(String, { description: `Customer name${index}`, minLength: 1 }));
  decorate(SearchOrders, "status", optional({ description: "Order status", enum: statuses, default: "open" }));
  decorate(SearchOrders, "limit", optional(Integer, { description: "Most orders to return", minimum: 1, maximum: 100, default: 10 }));
  decorate(SearchOrders, "tags", optional([String], "Tags"));
  decorate(SearchOrders, "address", optional(Address));
  describedAs(description)(SearchOrders);
  identifier(index === "" ? name : `${name}_${index}`)(SearchOrders);
  if (deadline !== undefined) timeout(deadline)(SearchOrders);
  return SearchOrders;
}

/** Five pieces of a text, as a model that streams gives them. */
const piecesOf = (text) => Array.from({ length: 5 }, (_, index) => text.slice((index * text.length) / 5, ((index + 1) * text.length) / 5));
const answerPieces = piecesOf(answer);
const argumentPieces = piecesOf(validText);

const modelOf = (steps) => ({
  id: "bench/scripted",
  generate: async ({ messages, onDelta }) => {
    const id = nextCallId(messages[messages.length - 1].toolCallId, steps);
    if (onDelta !== undefined && id === undefined) for (const text of answerPieces) onDelta({ type: "text", text });
    else if (onDelta !== undefined)
      for (const piece of argumentPieces) onDelta({ type: "tool_call", index: 0, id, name, arguments: piece });
    return id === undefined
      ? { text: answer, toolCalls: [], finishReason: "stop", usage }
      : { text: "", toolCalls: [{ id, name, arguments: validText }], finishReason: "tool_calls", usage };
  },
});

/** What a call through the executor gives. */
function dataOf(toolClass) {
  const executor = new ToolExecutor({ tools: [toolClass] });
  const scope = createRunScope();
  return async (input) => {
    const { data, error } = await executor.call({ id: "call0", name: toolClass.identifier, arguments: input }, scope);
    if (error !== undefined) throw new Error(error);
    return data;
  };
}

/** Makes the function that carries out a run with as many calls, which is recorded. */
function recordedTurn(steps) {
  class SearchAgent extends Agent {}
  model(modelOf(steps))(SearchAgent);
  maxSteps(steps + 1)(SearchAgent);
  usesTools([defineTool()])(SearchAgent);
  return async (options) => (await new SearchAgent().generate(question, options)).text;
}

export function make() {
  /** One call through the executor; the scope is that of a run, which all its calls share. */
  const caller = (toolClass, input) => {
    const executor = new ToolExecutor({ tools: [toolClass] });
    const scope = createRunScope();
    const request = { id: "call0", name, arguments: input };
    return () => executor.call(request, scope);
  };
  const searchTool = defineTool();
  const signalTool = defineTool({ run: async (tool, { abortSignal }) => (abortSignal.aborted ? "aborted" : searchOrders(tool)) });
  return {
    textOf: (result) => result.error ?? result.data,
    calls: {
      object: caller(searchTool, validArguments),
      text: caller(searchTool, validText),
      signal: caller(signalTool, validText),
      invalid: caller(searchTool, invalidArguments),
    },
    deadline: {
      without: caller(defineTool({ deadline: 0 }), validArguments),
      with: caller(defineTool({ deadline: 10_000 }), validArguments),
    },
    builtIn: async ({ directory = "." } = {}) => {
      const { CalculatorTool, rootedAt, webScraper } = await import("toolwright/tools");
      const calculate = dataOf(CalculatorTool);
      const read = dataOf(rootedAt(directory).ReadFileTool);
      const Scraper = webScraper({ allowedHosts: ["127.0.0.1"] });
      return {
        calculate: (expression) => calculate({ expression }),
        read: (path) => read({ path }),
        // Without the executor: what is measured is the client.
        scrape: (url) => Object.assign(new Scraper(), { url }).call({}),
      };
    },
    /** Calls over MCP: of the tool as Toolwright serves it, and as the official SDK does. */
    mcp: async () => (await import("../mcp.mjs")).mcpCallers(searchTool),
    /** What an evaluation adds to the time of its agent. */
    evaluation: async (options) => (await import("../evaluation.mjs")).measureEvaluation(options),
    /** Steps that are recorded in a file, beside an append with fsync. */
    journal: async (options) => (await import("../journal.mjs")).measureJournal(recordedTurn, options),
    /** Calls of the tool in other frameworks: by its adapter, and by hand. */
    adapters: async () => (await import("../adapters.mjs")).adapterCallers(searchTool),
    /** Specifications of tools with five parameters, and how each is bound to its tool in a library of them all. */
    specification: async (count) => {
      const { bindTool, createToolLibrary, specificationOf } = await import("toolwright/specification");
      const tools = Array.from({ length: count }, (_, index) => defineTool({ index: `_${index}` }));
      const library = createToolLibrary(tools);
      return { specifications: tools.map(specificationOf), bind: (specification) => bindTool(specification, library).definition };
    },

    /** Workspaces of an organisation and a project, 100 tools to a toolbox, and the full names of all their tools. */
    registry: async (count) => {
      const { createRegistry, createWorkspace } = await import("toolwright/registry");
      const workspaces = { organisation: createWorkspace({ organisation: "acme" }), project: createWorkspace() };
      const names = [];
      for (let index = 0; index < count; index++) {
        const [source, prefix] = index % 1_000 < 100 ? ["organisation", "acme/"] : ["project", ""];
        const toolbox = `box_${Math.floor(index / 100)}`;
        const tool = createTool({ name: `tool_${index}`, description, inputSchema: { type: "object" }, execute: () => index });
        workspaces[source].toolbox(toolbox).addTool(tool);
        names.push(`${prefix}${toolbox}/tool_${index}`);
      }
      const [organisation, project] = [workspaces.organisation.build(), workspaces.project.build()];
      return { names, merge: () => createRegistry({ organisation, project }) };
    },
    search: (count) => {
      const verbs = ["create", "list", "archive", "rename", "publish", "delete", "copy", "move", "send", "find"];
      const things = ["issue", "order", "invoice", "user", "page", "file", "image", "ticket", "channel", "message"];
      const tools = Array.from({ length: count }, (_, index) => {
        const [verb, thing] = [verbs[index % 10], things[Math.floor(index / 10) % 10]];
        return createTool(`${verb}_${thing}_${index}`, `${verb}s the ${thing} of a team. Use when asked.`, { type: "object" }, () => index);
      });
      let query;
      class SearchingAgent extends Agent {}
      usesTools([deferred({ name: "all", tools })])(SearchingAgent);
      model({
        id: "bench/search",
        generate: async ({ messages }) => {
          if (messages.at(-1).role === "tool") return { text: "Done.", toolCalls: [], finishReason: "stop", usage };
          const call = { id: "call_1", name: "search_tools", arguments: JSON.stringify({ query }) };
          return { text: "", toolCalls: [call], finishReason: "tool_calls", usage };
        },
      })(SearchingAgent);
      return {
        search: async (words) => {
          query = words;
          const { steps } = await new SearchingAgent().generate("Find it.");
          return steps[0].toolCalls[0].data.tools;
        },
      };
    },
    define: (index) => {
      const toolClass = defineTool({ index });
      return { toolClass, parameters: toolClass.definition.parametersSchema };
    },
    toProviderTools: (tools) =>
      toProviderTools(
        tools.map(({ toolClass }) => toolClass),
        "openai-chat",
      ),
    turn: ({ steps, tools = 1, delay = 0, abortable = false, streamed = false }) => {
      const run = delay > 0 ? (tool) => pause(delay).then(() => searchOrders(tool)) : undefined;
      class SearchAgent extends Agent {}
      model(modelOf(steps))(SearchAgent);
      maxSteps(steps + 1)(SearchAgent);
      usesTools(Array.from({ length: tools }, (_, index) => defineTool({ index: index || "", run })))(SearchAgent);
      if (streamed) {
        return async () => {
          let text = "";
          for await (const event of new SearchAgent().stream(question)) if (event.type === "text_delta") text += event.delta;
          return text;
        };
      }
      if (abortable) return async () => (await new SearchAgent().generate(question, { abortSignal: new AbortController().signal })).text;
      // An instance is one conversation, so each run gets a new one.
      return async () => (await new SearchAgent().generate(question)).text;
    },
  };
}
