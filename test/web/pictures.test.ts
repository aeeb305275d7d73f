import { Agent, model, usesTools } from "../../src/agent/index.js";
import { MemoryConversationStore } from "../../src/storage/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { createTool, image } from "../../src/tool/index.js";
import { agentHandler } from "../../src/web/index.js";
import { png } from "../support/pictures.js";

const bytes = png(7, 2_000);
const data = bytes.toString("base64");

const DrawTool = createTool({
  name: "draw",
  description: "Draws. Use to draw.",
  inputSchema: { type: "object" },
  execute: () => ["Chart:", image(bytes, "image/png")],
});

const handlerOf = (format: "sse" | "ui" | "json") => {
  const store = new MemoryConversationStore();
  const script = new ScriptedModel([{ toolCalls: [{ name: "draw", arguments: {} }] }, "Drawn.", "It is grey."]);
  @model(script)
  @usesTools([DrawTool])
  class ArtAgent extends Agent {}
  const handler = agentHandler({
    format,
    agent: () => new ArtAgent().load(store, "1"),
    onFinish: ({ agent }) => agent.save(store, "1"),
  });
  const post = async (prompt: string) => {
    const body = format === "ui" ? { messages: [{ id: prompt, role: "user", parts: [{ type: "text", text: prompt }] }] } : { prompt };
    const headers = { "content-type": "application/json" };
    return (await handler(new Request("http://shop.test/chat", { method: "POST", headers, body: JSON.stringify(body) }))).text();
  };
  return { script, post };
};

describe("a page whose agent's tool returns an image", () => {
  it.each(["sse", "ui", "json"] as const)("reads its type and size as %s, and the model sees it in later requests too", async (format) => {
    const { script, post } = handlerOf(format);
    const first = await post("Draw.");
    const second = await post("Which colour?");

    expect(first).toContain("[image/png, 2.1 KB]");
    expect(first + second).not.toContain(data.slice(0, 60));
    expect(JSON.stringify(script.requests[2]?.messages).split(data)).toHaveLength(2);
  });
});
