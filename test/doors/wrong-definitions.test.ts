import { z } from "zod";
import * as mini from "zod/mini";
import { toAiSdkTools } from "../../src/adapters/ai-sdk/index.js";
import { toLangChainTools } from "../../src/adapters/langchain/index.js";
import { toOpenAiAgentsTools } from "../../src/adapters/openai-agents/index.js";
import { Agent, model, usesTools } from "../../src/agent/index.js";
import { ToolExecutor, universalDefinition, validateToolInput, validateToolOutput } from "../../src/execution/index.js";
import { checkTools } from "../../src/lint/index.js";
import { mcpHandler, serveMcp } from "../../src/mcp/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { toProviderTools } from "../../src/models/provider-tools/index.js";
import { printable } from "../../src/redaction/internal.js";
import { createRegistry, createWorkspace } from "../../src/registry/index.js";
import { emptyToolLibrary, registerTool, specificationOf } from "../../src/specification/index.js";
import { invokeTool, stubTool } from "../../src/testing/index.js";
import { description, identifier, required, returns, timeout, Tool, type ToolClass, ToolDefinitionError } from "../../src/tool/index.js";
import { ToolwrightModule } from "../../src/nest/index.js";
import { boot, closeApplications } from "../nest/support.js";

afterEach(closeApplications);

/** Each door that takes a tool class, whichever way it first reads the definition. */
const doors: Readonly<Record<string, (tool: ToolClass) => unknown>> = {
  "the executor": (tool) => new ToolExecutor({ tools: [tool] }),
  "an agent": (tool) => {
    @model(new ScriptedModel(["Hello."]))
    @usesTools([tool])
    class WrongAgent extends Agent {}
    return new WrongAgent().generate("Hello");
  },
  "an agent that chooses its tools": (tool) => {
    @model(new ScriptedModel(["Hello."]))
    @usesTools(() => [tool])
    class WrongAgent extends Agent {}
    return new WrongAgent().generate("Hello");
  },
  "a registry": (tool) => createRegistry({ internal: { name: "shop", tools: [tool] } }),
  "a workspace": (tool) => createRegistry({ project: createWorkspace().addTool(tool).build() }),
  "an MCP server": (tool) =>
    serveMcp({ name: "shop", version: "1.0.0", tools: [tool], transport: { start: async () => undefined } as never }),
  "an MCP handler": (tool) => mcpHandler({ name: "shop", version: "1.0.0", tools: [tool] }),
  Nest: (tool) => boot({ imports: [ToolwrightModule.forFeature({ tools: [tool] })] }),
  "the AI SDK": (tool) => toAiSdkTools([tool]),
  LangChain: (tool) => toLangChainTools([tool]),
  "OpenAI Agents": (tool) => toOpenAiAgentsTools([tool]),
  checkTools: (tool) => checkTools([tool]),
  invokeTool: (tool) => invokeTool(tool),
  stubTool: (tool) => stubTool(tool, () => "stub").tool.definition,
  universalDefinition: (tool) => universalDefinition(tool),
  validateToolInput: (tool) => validateToolInput(tool, {}),
  validateToolOutput: (tool) => validateToolOutput(tool, {}),
  "a specification": (tool) => specificationOf(tool),
  "a library": (tool) => registerTool("pay_tool", tool, emptyToolLibrary),
};

/** Tools as plain JavaScript may write them. */
const AnyTool = Tool as unknown as new () => object;

/** One of each kind of wrong definition; a new class each time, because the definition is read once. */
const mistakes: Readonly<Record<string, () => object>> = {
  "no description": () =>
    class PayTool extends Tool {
      call() {}
    },
  "a zod member without JSON Schema, deep inside": () => {
    @description("Pays.")
    class PayTool extends Tool {
      @required(z.object({ items: z.array(z.object({ paidAt: z.date() })) })) order!: unknown;
      call() {}
    }
    return PayTool;
  },
  "a type of zod/mini": () => {
    @description("Pays.")
    class PayTool extends Tool {
      @required(mini.string()) order!: string;
      call() {}
    }
    return PayTool;
  },
  "a function that meets a class too early": () => {
    @description("Pays.")
    class PayTool extends Tool {
      @required((() => undefined) as unknown as () => StringConstructor) order!: string;
      call() {}
    }
    return PayTool;
  },
  "@returns of nothing": () => {
    @description("Pays.")
    @returns(undefined as never)
    class PayTool extends Tool {
      call() {}
    }
    return PayTool;
  },
  "@returns of a zod type without JSON Schema": () => {
    @description("Pays.")
    @returns(z.array(z.object({ at: z.date() })))
    class PayTool extends Tool {
      call() {
        return [] as never;
      }
    }
    return PayTool;
  },
  "no call": () => {
    class PayTool extends AnyTool {}
    description("Pays.")(PayTool as never);
    return PayTool;
  },
  "call as a field": () => {
    class PayTool extends AnyTool {
      call = () => undefined;
    }
    description("Pays.")(PayTool as never);
    return PayTool;
  },
  "a static call": () => {
    class PayTool extends AnyTool {
      static override call() {}
    }
    description("Pays.")(PayTool as never);
    return PayTool;
  },
  "a getter in place of a parameter": () => {
    @description("Pays.")
    class BaseTool extends Tool {
      @required(String) order!: string;
      call() {}
    }
    class PayTool extends (BaseTool as unknown as new () => object) {
      get order() {
        return "A-17";
      }
    }
    description("Pays.")(PayTool as never);
    return PayTool;
  },
  "a default that breaks its schema": () => {
    @description("Pays.")
    class PayTool extends Tool {
      @required({ type: String, maxLength: 3, default: "kelvin" } as never) unit!: string;
      call() {}
    }
    return PayTool;
  },
  "a name that isn't allowed": () => {
    @description("Pays.")
    @identifier("pay\u202etool")
    class PayTool extends Tool {
      call() {}
    }
    return PayTool;
  },
  "a timeout that isn't a number": () => {
    @description("Pays.")
    @timeout("30" as never)
    class PayTool extends Tool {
      call() {}
    }
    return PayTool;
  },
};

async function errorOf(work: () => unknown): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe.each(Object.entries(mistakes))("a tool with %s", (_, make) => {
  it.each(Object.entries(doors))("is rejected by %s with the error of its definition", async (_door, take) => {
    const expected = await errorOf(() => (make() as ToolClass).definition);
    expect(expected).toBeInstanceOf(ToolDefinitionError);
    const met = await errorOf(() => take(make() as ToolClass));
    expect(met).toMatchObject({ name: "ToolDefinitionError", message: (expected as Error).message });
  });

  it("is left out for a provider's SDK, with a warning that has this error", async () => {
    const expected = await errorOf(() => (make() as ToolClass).definition);
    const emit = jest.spyOn(process, "emitWarning").mockImplementation();
    const tools = await errorOf(() => toProviderTools([make() as ToolClass], "openai-responses"));
    const [warned] = emit.mock.calls[0] ?? [tools];
    emit.mockRestore();
    expect(String(warned)).toContain(printable((expected as Error).message));
  });
});
