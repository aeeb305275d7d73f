import { Agent, model, usesTools } from "../../src/agent/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { description, identifier, Tool } from "../../src/tool/index.js";
import { agentHandler, type FinishedRun } from "../../src/web/index.js";

const post = () =>
  new Request("http://shop.example/chat", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ prompt: "Go" }),
  });

describe("a handler whose process shuts down", () => {
  it("lets a run reach the end of its step, answers with what it has, and takes no further request", async () => {
    const shutdown = new AbortController();
    const finished: FinishedRun[] = [];

    @identifier("slow")
    @description("Takes a moment.")
    class SlowTool extends Tool {
      async call() {
        shutdown.abort();
        await new Promise((resolve) => setTimeout(resolve, 10));
        return "Done.";
      }
    }

    @model(new ScriptedModel([{ toolCalls: [{ name: "slow" }] }, "Never."]))
    @usesTools([SlowTool])
    class SlowAgent extends Agent {}

    const handler = agentHandler({
      agent: () => new SlowAgent(),
      format: "json",
      shutdown: shutdown.signal,
      onFinish: (run) => void finished.push(run),
    });
    const response = await handler(post());
    expect(await response.json()).toMatchObject({
      outcome: { reason: "interrupted", detail: "The server is shutting down." },
      steps: [{ toolCalls: [{ content: "Done." }] }],
    });
    // The application stores the conversation with its run, which another process resumes.
    expect(finished[0]?.agent.state).toBeDefined();

    const refused = await handler(post());
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
  });

  it("needs a signal", () => {
    expect(() => agentHandler({ agent: () => undefined as never, format: "json", shutdown: true as never })).toThrow(
      "agentHandler: shutdown must be an AbortSignal",
    );
  });
});
