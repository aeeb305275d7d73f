import { Agent, model, type AgentTools, toolSearch, usesTools } from "../../../src/agent/index.js";
import { ScriptedModel } from "../../../src/models/index.js";
import { deferred } from "../../../src/tool/index.js";
import { endAll, hostileAddress, open } from "./support.js";

afterEach(endAll);

describe("deferred tools of an MCP server", () => {
  async function found(tools: AgentTools, name: string) {
    const scripted = new ScriptedModel([{ toolCalls: [{ name: "search_tools", arguments: { query: "any" } }] }, "Done."]);
    @model(scripted)
    @usesTools(tools)
    @toolSearch(() => [name])
    class ServerAgent extends Agent {}
    await new ServerAgent().generate("Go.");
    return scripted.requests.map((request) => request.tools.map((tool) => tool.name));
  }

  it("are offered once the model has found them, if the whole toolbox is deferred", async () => {
    const box = await open(await hostileAddress("plain"));
    const name = box.tools[0]?.definition.name ?? "";
    expect(await found([deferred(box)], name)).toEqual([["search_tools"], ["search_tools", expect.stringContaining(name)]]);
  });

  it("are offered once the model has found them, if settings defer each one", async () => {
    const box = await open(await hostileAddress("plain"), { settings: () => ({ deferred: true }) });
    const name = box.tools[0]?.definition.name ?? "";
    expect(await found([box], name)).toEqual([["search_tools"], ["search_tools", expect.stringContaining(name)]]);
  });
});
