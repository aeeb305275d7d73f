// Each line below a marker is refused with one error that has the marker's words; no other line errs.
import { Agent } from "../../../src/agent/index.js";
import { createRunScope, ToolExecutor } from "../../../src/execution/index.js";
import type { RegistryExecutor } from "../../../src/registry/index.js";
import { invokeTool } from "../../../src/testing/index.js";
import { Tool } from "../../../src/tool/index.js";
import "./context.js";

class PingTool extends Tool {
  call() {
    return "pong";
  }
}

class HelpAgent extends Agent {}

export async function answers(executor: RegistryExecutor): Promise<void> {
  // error: 'usr' does not exist in type
  await HelpAgent.generate("Hi", { toolContext: { usr: { id: "ada" } } });
  // error: 'userID' does not exist in type
  await HelpAgent.generate("Hi", { toolContext: { userID: "ada" } });
  // error: Type 'number' is not assignable to type '{ readonly id: string; }'
  await new HelpAgent().generate("Hi", { toolContext: { user: 3 } });
  // error: 'plan' does not exist in type '{ readonly id: string; }'
  await new HelpAgent().generate("Hi", { toolContext: { user: { id: "ada", plan: 3 } } });
  // error: Type '"delete"' is not assignable to type '"read" | "write"'
  await HelpAgent.generate("Hi", { toolContext: { scopes: ["delete"] } });
  // error: Type 'string' is not assignable to type 'readonly string[]'
  await HelpAgent.generate("Hi", { toolContext: { roles: "admin" } });
  // error: 'usr' does not exist in type
  await invokeTool(PingTool, {}, { context: { usr: { id: "ada" } } });
  // error: 'usr' does not exist in type
  await new ToolExecutor({ tools: [PingTool] }).run(PingTool, {}, { toolContext: { usr: { id: "ada" } } });
  // error: 'tenant' does not exist in type
  await executor.run(PingTool, {}, { toolContext: { tenant: "acme" } });
  // error: 'userID' does not exist in type
  createRunScope({ toolContext: { userID: "ada" } });
}
