import { Agent, instructions, usesTools } from "../../../src/agent/index.js";
import { ToolExecutor } from "../../../src/execution/index.js";
import { invokeTool } from "../../../src/testing/index.js";
import { Tool, type ToolContext } from "../../../src/tool/index.js";
import "./context.js";

class WhoTool extends Tool {
  call({ user }: ToolContext) {
    return user?.id ?? null;
  }
}

@instructions(({ user }) => `You help ${user?.id ?? "a guest"}.`)
@usesTools(({ roles, scopes }) => (roles?.includes("admin") && scopes?.includes("write") ? [WhoTool] : []))
class HelpAgent extends Agent {}

interface Session {
  readonly user: { readonly id: string };
  readonly expires: number;
}

export async function answers(session: Session): Promise<unknown[]> {
  return [
    await HelpAgent.generate("Hi", { toolContext: { user: { id: "ada" }, userId: "ada", auth: "token" } }),
    await HelpAgent.generate("Hi", { toolContext: { roles: ["admin"], scopes: ["read"] } }),
    await HelpAgent.generate("Hi", { toolContext: {} }),
    await HelpAgent.generate("Hi", { toolContext: session }),
    await new ToolExecutor({ tools: [WhoTool] }).run(WhoTool, {}, { toolContext: { user: { id: "ada" }, roles: ["admin"] } }),
    await invokeTool(WhoTool, {}, { context: { user: { id: "ada" } } }),
  ];
}
