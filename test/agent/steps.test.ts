import { Agent, instructions, model, type StepSituation, usesTools } from "../../src/agent/index.js";
import type { RunState } from "../../src/loop/index.js";
import { ModelError, ScriptedModel } from "../../src/models/index.js";
import { createTool } from "../../src/tool/index.js";
import { markAsInterrupt } from "../../src/tool/internal.js";
import { isPaired } from "../support/paired.js";

const toolNamed = (name: string, execute: () => unknown = () => name) =>
  createTool({ name, description: "For tests. Use never.", inputSchema: { type: "object" }, execute });

const search = toolNamed("search");
const send = toolNamed("mail.send");
const ask = (...names: string[]) => ({ toolCalls: names.map((name) => ({ name })) });

describe("toolChoice", () => {
  it("of a tool or of any holds for the first step, and names the tool as the model knows it", async () => {
    const scripted = new ScriptedModel([ask("mail_send"), "Done."]);

    @model(scripted)
    @usesTools([search, send])
    class MailAgent extends Agent {}

    await MailAgent.generate("Send", { toolChoice: { tool: "mail.send" } });
    expect(scripted.requests.map(({ toolChoice }) => toolChoice)).toEqual([{ tool: "mail_send" }, undefined]);
  });

  it("none holds for every step", async () => {
    const scripted = new ScriptedModel([ask("search"), "Done."]);

    @model(scripted)
    @usesTools([search])
    class SearchAgent extends Agent {}

    await SearchAgent.generate("Hi", { toolChoice: "none" });
    expect(scripted.requests.map(({ toolChoice }) => toolChoice)).toEqual(["none", "none"]);
  });
});

describe("prepareStep", () => {
  it("changes model, tools, instructions and tool choice for the next step alone", async () => {
    const small = new ScriptedModel([ask("search"), "Done."], { id: "test/small" });
    const large = new ScriptedModel([ask("search")], { id: "test/large" });
    const seen: (readonly [number, number])[] = [];

    @model(small)
    @instructions("You are brief.")
    @usesTools([search, send])
    class StepAgent extends Agent {
      override prepareStep({ step, messages }: StepSituation) {
        seen.push([step, messages.length]);
        return step === 2 ? { model: large, tools: [search], instructions: "Think.", toolChoice: "required" as const } : undefined;
      }
    }

    const response = await StepAgent.generate("Find it");
    expect(response.text).toBe("Done.");
    expect(seen).toEqual([
      [1, 2],
      [2, 4],
      [3, 6],
    ]);
    expect(large.requests[0]).toMatchObject({ toolChoice: "required", tools: [{ name: "search" }] });
    expect(large.requests[0]?.messages[0]).toEqual({ role: "system", content: "Think." });
    expect(small.requests.map(({ messages }) => messages[0]?.content)).toEqual(["You are brief.", "You are brief."]);
    expect(small.requests[1]?.tools).toHaveLength(2);
  });

  it("narrows what can be called in the step, not only what is shown", async () => {
    @model(new ScriptedModel([ask("mail_send"), "Done."]))
    @usesTools([search, send])
    class NarrowAgent extends Agent {
      override prepareStep() {
        return { tools: [search] };
      }
    }

    const response = await NarrowAgent.generate("Send");
    expect(response.steps[0]?.toolCalls[0]).toMatchObject({ errorType: "unknown_tool" });
    expect(response.steps[0]?.toolCalls[0]?.content).toBe("Unknown tool 'mail.send'. Available tools: search.");
  });

  it("narrows what can be called if the run goes on in the middle of the step, too", async () => {
    const agents: Agent[] = [];
    const sent: string[] = [];
    const stop = toolNamed("stop", () => agents[0]?.interrupt("the user is typing"));
    const hidden = toolNamed("hidden", () => sent.push("hidden"));

    @model(new ScriptedModel([ask("stop", "hidden"), "Done."]))
    @usesTools([stop, hidden])
    class NarrowAgent extends Agent {
      override prepareStep() {
        return { tools: [stop] };
      }
    }

    agents.push(new NarrowAgent());
    const stopped = await agents[0]?.generate("Go", { concurrency: 1 });
    const resumed = await new NarrowAgent().resume(JSON.parse(JSON.stringify(stopped?.state)) as RunState);
    expect(resumed.steps[0]?.toolCalls[1]?.content).toBe("Unknown tool 'hidden'. Available tools: stop.");
    expect(sent).toEqual([]);
  });

  it("gives the step's model the retries and fallbacks of @model", async () => {
    const overloaded = { error: new ModelError("test/large", "overloaded", { retryable: true, retryAfter: 0 }) };
    const large = new ScriptedModel([overloaded, ask("search"), overloaded, overloaded], { id: "test/large" });

    @model(new ScriptedModel([]), { retries: 1, fallback: new ScriptedModel(["From the fallback."]) })
    @usesTools([search])
    class StepAgent extends Agent {
      override prepareStep() {
        return { model: large };
      }
    }

    expect((await StepAgent.generate("Find it")).text).toBe("From the fallback.");
    expect(large.requests).toHaveLength(4);
  });

  it("can't give tools that the run doesn't have", async () => {
    @model(new ScriptedModel(["Hi."]))
    @usesTools([search])
    class WideAgent extends Agent {
      override prepareStep() {
        return { tools: [send] };
      }
    }

    await expect(WideAgent.generate("Hi")).rejects.toThrow("Add it to @usesTools");
  });
});

describe("agent.interrupt", () => {
  it("stops the run before its next call, with what was done, and resume goes on", async () => {
    const agents: Agent[] = [];
    const stop = toolNamed("stop", () => agents[0]?.interrupt("the user is typing"));

    @model(new ScriptedModel([ask("stop", "search"), "Done."]))
    @usesTools([stop, search])
    class PolledAgent extends Agent {}

    const agent = new PolledAgent();
    agents.push(agent);
    const response = await agent.generate("Go");
    expect(response.outcome).toEqual({ reason: "interrupted", detail: "the user is typing" });
    const resumed = new PolledAgent();
    expect((await resumed.resume(response.state as RunState)).text).toBe("Done.");
    expect(isPaired(resumed.messages)).toBe(true);
  });

  it("between an answer and its calls keeps the calls, which run on resume", async () => {
    const ran: string[] = [];
    const work = toolNamed("work", () => ran.push("work"));

    @model(new ScriptedModel([ask("work"), "Done."]))
    @usesTools([work])
    class WorkAgent extends Agent {}

    const agent = new WorkAgent();
    agent.onMessage(({ role }) => {
      if (role === "assistant" && ran.length === 0) agent.interrupt("wait");
    });
    const response = await agent.generate("Go");
    expect(response.outcome.reason).toBe("interrupted");
    expect(ran).toEqual([]);
    expect((await agent.resume(response.state as RunState)).text).toBe("Done.");
    expect(ran).toEqual(["work"]);
  });

  it("says whether there was a run to stop", () => {
    @model(new ScriptedModel([]))
    class IdleAgent extends Agent {}

    expect(new IdleAgent().interrupt("why not")).toBe(false);
  });
});

describe("an interrupt of another framework", () => {
  it("passes through untouched, and the run can be resumed: only the interrupted call runs again", async () => {
    const ran: string[] = [];
    const interrupt = markAsInterrupt(new Error("GraphInterrupt"));
    const wait = toolNamed("wait", () => {
      ran.push("wait");
      if (ran.filter((name) => name === "wait").length === 1) throw interrupt;
      return "answered";
    });
    const other = toolNamed("other", () => ran.push("other"));

    @model(new ScriptedModel([ask("wait", "other"), "Done."]))
    @usesTools([wait, other])
    class GraphAgent extends Agent {}

    const agent = new GraphAgent();
    const thrown: unknown = await agent.generate("Go").catch((error: unknown) => error);
    expect(thrown).toBe(interrupt);
    const state = JSON.parse(JSON.stringify(agent.state)) as RunState;
    expect((await new GraphAgent().resume(state)).text).toBe("Done.");
    expect(ran).toEqual(["wait", "other", "wait"]);
  });

  it("case 53: isn't retried and counts as no failure", async () => {
    let tries = 0;
    const pausing = createTool({
      name: "pausing",
      description: "For tests. Use never.",
      inputSchema: { type: "object" },
      effect: "idempotent",
      retryable: true,
      execute: () => {
        tries += 1;
        throw markAsInterrupt(new Error("paused"));
      },
    });

    @model(new ScriptedModel([ask("pausing")]))
    @usesTools([pausing])
    class PausingAgent extends Agent {}

    const agent = new PausingAgent();
    await expect(agent.generate("Go")).rejects.toThrow("paused");
    expect(tries).toBe(1);
    expect(agent.state?.ledger).toEqual({});
  });
});
