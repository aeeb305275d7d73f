import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, model, usesTools } from "../../src/agent/index.js";
import { approve } from "../../src/confirmation/index.js";
import { trimHistory } from "../../src/conversation/index.js";
import { type ChatModel, type Message, ScriptedModel, type ScriptedStep } from "../../src/models/index.js";
import { keepEntries, openTelemetry, toolLog } from "../../src/observability/index.js";
import { FileConversationStore, MemoryStorage } from "../../src/storage/index.js";
import { createTool, description, image, requiresConfirmation, Tool } from "../../src/tool/index.js";
import { toUiMessageStream } from "../../src/web/index.js";
import { png } from "../support/pictures.js";

const part = { type: "image", mediaType: "image/png", data: png().toString("base64") };
const note = `[image/png, ${png().length} bytes]`;

const DrawTool = createTool({
  name: "draw",
  description: "Draws. Use to draw.",
  inputSchema: { type: "object" },
  category: "read",
  execute: () => ["Chart:", image(png(), "image/png")],
});

@description("Publishes. Use to publish.")
@requiresConfirmation()
class PublishTool extends Tool {
  call() {
    return "Published.";
  }
}

const drawing = { toolCalls: [{ name: "draw", arguments: {} }] };
const both = {
  toolCalls: [
    { name: "draw", arguments: {} },
    { name: "publish_tool", arguments: {} },
  ],
};

const agentOf = (...steps: ScriptedStep[]) => {
  const script = new ScriptedModel(steps);
  @model(script as ChatModel)
  @usesTools([DrawTool, PublishTool])
  class ArtAgent extends Agent {}
  return { agent: new ArtAgent(), script };
};

const resultIn = (messages: readonly Message[] = []) => messages.find(({ role }) => role === "tool");
const expected = { role: "tool", toolName: "draw", content: `Chart:\n${note}`, attachments: [part] };

describe("an agent whose tool returns an image", () => {
  it("sends it to the model with the result, and keeps it in the history and the steps", async () => {
    const { agent, script } = agentOf(drawing, "Drawn.");
    const response = await agent.generate("Draw.");

    expect(resultIn(script.requests[1]?.messages)).toMatchObject(expected);
    expect(resultIn(agent.messages)).toMatchObject(expected);
    expect(response.steps[0]?.toolCalls[0]).toMatchObject({ content: expected.content, data: expected.content, attachments: [part] });
  });

  it("streams it in the result's event", async () => {
    const events = [];
    for await (const event of agentOf(drawing, "Drawn.").agent.stream("Draw.")) events.push(event);

    expect(events).toContainEqual(expect.objectContaining({ type: "tool_result", tool: "draw", attachments: [part] }));
  });

  it("resumes with it in another process, if the run paused in the middle of the step", async () => {
    const { state } = await agentOf(both).agent.generate("Draw and publish.");
    const stored = JSON.stringify(state);
    const { agent, script } = agentOf("Published.");
    const response = await agent.resume(JSON.parse(stored), { decisions: [approve(state?.loop.current?.calls[1]?.id ?? "")] });

    expect(stored.split(part.data)).toHaveLength(2);
    expect(response.reason).toBe("success");
    expect(resultIn(script.requests[0]?.messages)).toMatchObject(expected);
  });

  it("records it once in the journal, and resumes from there", async () => {
    const storage = new MemoryStorage();
    const { confirmations = [] } = await agentOf(both).agent.generate("Draw and publish.", { journal: storage, runId: "run" });
    const { agent, script } = agentOf("Published.");
    await agent.resume("run", { journal: storage, decisions: confirmations.map(({ callId }) => approve(callId)) });

    expect(JSON.stringify(await storage.journals.read("run")).split(part.data)).toHaveLength(2);
    expect(resultIn(script.requests[0]?.messages)).toMatchObject(expected);
  });

  it("saves and loads it with the conversation", async () => {
    const directory = mkdtempSync(join(tmpdir(), "pictures-"));
    try {
      const store = new FileConversationStore(directory);
      const { agent } = agentOf(drawing, "Drawn.");
      await agent.generate("Draw.");
      await agent.save(store, "1");
      const { agent: other, script } = agentOf("Yes.");
      await other.load(store, "1");
      await other.generate("Is it blue?");

      expect(
        readdirSync(directory)
          .map((name) => readFileSync(join(directory, name), "utf8"))
          .join(""),
      ).toContain(part.data);
      expect(resultIn(script.requests[0]?.messages)).toMatchObject(expected);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it("loads a history from before there were images", async () => {
    const { agent, script } = agentOf("Yes.");
    agent.restore([
      { role: "user", content: "Draw." },
      { role: "assistant", content: "", toolCalls: [{ id: "call_1", name: "draw", arguments: "{}" }] },
      { role: "tool", toolCallId: "call_1", toolName: "draw", content: "Drawn." },
    ]);
    await agent.generate("Is it blue?");

    expect(resultIn(script.requests[0]?.messages)).toEqual({ role: "tool", toolCallId: "call_1", toolName: "draw", content: "Drawn." });
  });

  it.each([["a text"], [[{ type: "image", mediaType: "image/png", url: "https://a.example/b.png" }]], [[{ type: "text", text: "x" }]]])(
    "rejects a history with attachments that are %j",
    (attachments) => {
      const message = { role: "tool", toolCallId: "call_1", toolName: "draw", content: "Drawn.", attachments } as unknown as Message;

      expect(() => agentOf("Yes.").agent.restore([message])).toThrow(
        "restore: attachments of message 0 must be a list of image and file parts with their data in base64.",
      );
    },
  );

  it("counts the image when a history is trimmed to a number of tokens", async () => {
    const { agent } = agentOf(drawing, "Drawn.", "Yes.");
    await agent.generate("Draw.");
    await agent.generate("Is it blue?");

    expect(trimHistory(agent.messages, { maxTokens: 1_000 }).map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(trimHistory(agent.messages, { maxTokens: 2_000 })).toHaveLength(6);
  });

  it("writes no bytes into logs, spans and records", async () => {
    const entries = keepEntries();
    const attributes: unknown[] = [];
    const span = { setAttribute: keep, setAttributes: keep, setStatus: keep, addEvent: keep, end: keep, spanContext: () => ({}) };
    function keep(...values: unknown[]) {
      attributes.push(...values);
      return span;
    }
    const tracer = { startSpan: (...values: unknown[]) => keep(values) };
    const { agent } = agentOf(drawing, "Drawn.");
    await agent.generate("Draw.", { listeners: [toolLog({ handlers: [entries] }), openTelemetry({ tracer, captureContent: true })] });
    const written = JSON.stringify([entries.entries(), attributes]);

    expect(written).not.toContain(part.data.slice(0, 40));
    expect(written).toContain(note);
  });

  it("streams pages the note, and not the bytes", async () => {
    const body = await toUiMessageStream(agentOf(drawing, "Drawn.").agent.stream("Draw.")).text();

    expect(body).not.toContain(part.data.slice(0, 40));
    expect(body).toContain(note);
  });
});
