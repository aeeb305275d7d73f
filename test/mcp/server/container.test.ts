import { description, identifier, Tool, useContainer } from "../../../src/index.js";
import { mcpHandler } from "../../../src/mcp/index.js";
import { closeAll, closeLater, post } from "./support.js";

afterEach(closeAll);
afterEach(() => useContainer(undefined));

@identifier("who")
@description("Tells who made it.")
class WhoTool extends Tool {
  constructor(private readonly owner: string) {
    super();
  }

  call() {
    return this.owner;
  }
}

const containerOf = (owner: string) => ({ get: (type: typeof WhoTool) => new type(owner) });
const server = { name: "shop", version: "1.0.0" };

const call = async (handler: Awaited<ReturnType<typeof mcpHandler>>): Promise<unknown> =>
  (await post(handler, "tools/call", { name: "who", arguments: {} })).body.result;

describe("an MCP server without a container of its own", () => {
  it("keeps the one that was named when it was asked for", async () => {
    useContainer(containerOf("the server's"));
    const making = mcpHandler({ ...server, tools: [WhoTool] });
    useContainer(containerOf("another"));
    expect(await call(closeLater(await making))).toMatchObject({ content: [{ text: "the server's" }] });
  });

  it("makes tools that it asks for at each request by the container that was named for the request", async () => {
    const tools = async () => {
      await new Promise(setImmediate);
      return [WhoTool];
    };
    const handler = closeLater(await mcpHandler({ ...server, tools }));
    const owners = Array.from({ length: 20 }, (_, index) => `request ${index}`);
    const results = await Promise.all(
      owners.map((owner) => {
        useContainer(containerOf(owner));
        return call(handler);
      }),
    );
    expect(results).toMatchObject(owners.map((text) => ({ content: [{ text }] })));
  });
});
