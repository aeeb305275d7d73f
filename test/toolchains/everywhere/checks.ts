import assert from "node:assert/strict";
import { createOpenAI } from "@ai-sdk/openai";
import { Transform, Type } from "class-transformer";
import { IsString, ValidateNested } from "class-validator";
import {
  Agent,
  createTool,
  description,
  identifier,
  input,
  model,
  required,
  Tool,
  ToolDefinitionError,
  ToolTimeoutError,
  timeout,
  type ToolClass,
  type ToolContext,
  usesTools,
} from "toolwright";
import { ToolExecutor } from "toolwright/execution";
import { mcpHandler } from "toolwright/mcp";
import { ScriptedModel } from "toolwright/models";
import { invokeTool } from "toolwright/testing";
import { agentHandler } from "toolwright/web";
import { Container, Service } from "typedi";
import { type Check, readmeProgram, refusal } from "./readme.js";

@identifier("slow")
@description("Waits until it is cancelled. Use in tests.")
@timeout(60_000)
class SlowTool extends Tool {
  static cancelled = 0;

  async call({ abortSignal }: ToolContext) {
    await new Promise((resolve) => abortSignal.addEventListener("abort", resolve, { once: true }));
    SlowTool.cancelled += 1;
  }
}

@identifier("late")
@description("Takes longer than it may. Use in tests.")
@timeout(20)
class LateTool extends Tool {
  call() {
    return new Promise((resolve) => setTimeout(resolve, 2_000));
  }
}

class Line {
  @IsString()
  article!: string;
}

class Order {
  @IsString()
  @Transform(({ value }) => String(value).trim())
  customer!: string;

  @Type(() => Date)
  due!: Date;

  @ValidateNested({ each: true })
  @Type(() => Line)
  lines!: Line[];
}

@identifier("create_order")
@description("Creates an order. Use when the user orders.")
class OrderTool extends Tool {
  @input(Order)
  order!: Order;

  call() {
    const { customer, due, lines } = this.order;
    return [customer, due instanceof Date, lines.every((line) => line instanceof Line)];
  }
}

@Service()
class Stations {
  temperature(city: string) {
    return `${city}: 21`;
  }
}

@identifier("temperature")
@description("Gets the temperature in a city. Use when the user asks how warm it is.")
class TemperatureTool extends Tool {
  @required(String)
  city!: string;

  constructor(private readonly stations: Stations) {
    super();
  }

  call() {
    return this.stations.temperature(this.city);
  }
}

/** An answer of OpenAI's Responses API. */
const answer = {
  id: "resp_1",
  created_at: 1,
  model: "gpt-5-mini",
  error: null,
  incomplete_details: null,
  output: [{ type: "message", role: "assistant", id: "msg_1", content: [{ type: "output_text", text: "Hello.", annotations: [] }] }],
  usage: { input_tokens: 1, output_tokens: 1 },
};
const answering = async () => Response.json(answer);

/** A run of an agent whose tool works until it is cancelled. */
export function slowAgent() {
  const script = new ScriptedModel([{ toolCalls: [{ name: "slow", arguments: {} }] }, "Nobody reads this."]);
  @model(script)
  @usesTools([SlowTool])
  class SlowAgent extends Agent {}
  const before = SlowTool.cancelled;
  const ended = async () => {
    for (let wait = 0; wait < 200 && SlowTool.cancelled === before; wait += 1) await new Promise((resolve) => setTimeout(resolve, 10));
    assert.equal(SlowTool.cancelled, before + 1, "the tool runs on");
    assert.equal(script.requests.length, 1, "the model is asked again");
  };
  return { agent: () => new SlowAgent(), ended };
}

export const checks: readonly Check[] = [
  readmeProgram,
  {
    title: "Timeouts",
    async run() {
      await assert.rejects(new ToolExecutor({ tools: [LateTool] }).run("late", {}), ToolTimeoutError);
      return undefined;
    },
  },
  {
    title: "A stream whose client leaves",
    async run() {
      const { agent, ended } = slowAgent();
      const handler = agentHandler({ agent, format: "sse" });
      const body = JSON.stringify({ prompt: "Wait." });
      const response = await handler(
        new Request("http://localhost/chat", { method: "POST", headers: { "content-type": "application/json" }, body }),
      );
      assert.equal(response.status, 200);
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      const { value } = await reader.read();
      assert.match(new TextDecoder().decode(value), /event: /);
      await reader.cancel();
      await ended();
      return undefined;
    },
  },
  {
    title: "Nested DTO with @Type",
    async run() {
      const orders: ToolClass = OrderTool;
      const { properties } = JSON.parse(JSON.stringify(OrderTool.parametersSchema));
      assert.deepEqual(Object.keys(properties).sort(), ["customer", "due", "lines"]);
      const given = { customer: " Ada ", due: "2026-11-29T12:00:00Z", lines: [{ article: "tea" }] };
      assert.deepEqual(await invokeTool(orders, given), ["Ada", true, true]);
      return undefined;
    },
  },
  {
    title: "Injection by constructor",
    async run() {
      try {
        const executor = new ToolExecutor({ tools: [TemperatureTool], container: Container });
        assert.equal(await executor.run("temperature", { city: "Paris" }), "Paris: 21");
        return undefined;
      } catch (error) {
        if (!(error instanceof ToolDefinitionError)) throw error;
        return refusal(error, "Inject");
      }
    },
  },
  {
    title: "MCP server alone",
    async run() {
      const echo = createTool("echo", "Repeats a text. Use in tests.", { type: "object" }, () => "heard");
      const handler = await mcpHandler({ name: "everywhere", version: "1.0.0", tools: [echo] });
      const headers = { host: "localhost", "content-type": "application/json", accept: "application/json, text/event-stream" };
      const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "client", version: "1.0.0" } };
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
      const response = await handler(new Request("http://localhost/mcp", { method: "POST", headers, body }));
      const text = await response.text();
      assert.match(text, /"name":"everywhere"/, `${response.status} ${text}`);
      return undefined;
    },
  },
  {
    title: "Model by name",
    async run() {
      const { fetch } = globalThis;
      globalThis.fetch = answering;
      process.env.OPENAI_API_KEY = "key";
      try {
        @model("openai/gpt-5-mini")
        class NamedAgent extends Agent {}
        const response = await new NamedAgent().generate("Hello?").catch((error: unknown) => refusal(error, "pass the model object"));
        if (typeof response === "string") return response;
        assert.equal(response.text, "Hello.");
        return undefined;
      } finally {
        globalThis.fetch = fetch;
      }
    },
  },
  {
    title: "Model by object",
    async run() {
      @model(createOpenAI({ apiKey: "key", fetch: answering })("gpt-5-mini"))
      class ObjectAgent extends Agent {}
      const response = await new ObjectAgent().generate("Hello?");
      assert.equal(response.text, "Hello.", JSON.stringify(response.outcome));
      return undefined;
    },
  },
];
