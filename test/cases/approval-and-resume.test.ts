import { existsSync } from "node:fs";
import { mkdtemp, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { markAsInterrupt } from "../../src/execution/index.js";
import {
  Agent,
  type AgentListener,
  type AgentResponse,
  approve,
  approveEdited,
  type ConfirmationHandler,
  createTool,
  DecisionError,
  deny,
  description,
  model,
  type RunState,
  type ToolClass,
  type ToolContext,
  usesTools,
} from "../../src/index.js";
import { ScriptedModel, type ScriptedStep } from "../../src/models/index.js";
import { type DecisionClaims, FileDecisionClaims, MemoryDecisionClaims } from "../../src/storage/index.js";
import { isPaired } from "../support/paired.js";

/** Faults that users of like libraries met with approvals and resumed runs, and what people and networks do besides. */

/** What happened in the world outside. */
const effects: string[] = [];
let asked = 0;

const edit = createTool({
  name: "edit",
  description: "Edits a file. Use for tests.",
  inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"], additionalProperties: false },
  requiresConfirmation: () => {
    asked += 1;
    return asked === 1 || asked > 100;
  },
  execute: ({ path }, { userId }: ToolContext) => {
    effects.push(`edit ${path}${userId === undefined ? "" : ` for ${userId}`}`);
    return "Edited.";
  },
});
const send = createTool({
  name: "send",
  description: "Sends a letter. Use for tests.",
  inputSchema: { type: "object", properties: { to: { type: "string" } }, required: ["to"], additionalProperties: false },
  requiresConfirmation: true,
  execute: ({ to }) => {
    effects.push(`send ${to}`);
    return "Sent.";
  },
});
const note = createTool({
  name: "note",
  description: "Takes a note. Use for tests.",
  inputSchema: { type: "object" },
  execute: () => {
    effects.push("note");
    return "Noted.";
  },
});

const call = (id: string, name: string, json = "{}") => ({ id, name, arguments: json });
const calls = (...toolCalls: ReturnType<typeof call>[]) => ({ toolCalls });
const sends = (...ids: string[]) => calls(...ids.map((id) => call(id, "send", `{"to":"${id}"}`)));

/** Agents of one class, each as in a process of its own; their models play one script together. */
function clerks(script: readonly ScriptedStep[], tools: readonly ToolClass[] = [edit, send, note]): new () => Agent {
  @model(new ScriptedModel(script), { retries: 0 })
  @usesTools(tools)
  class ClerkAgent extends Agent {}

  return ClerkAgent;
}

/** The state as a database gives it back. */
const stored = ({ state }: { readonly state?: RunState | undefined }): RunState => JSON.parse(JSON.stringify(state)) as RunState;

const reasonOf = (refused: Promise<unknown>): Promise<unknown> =>
  refused.then(
    () => "nothing was refused",
    (error: unknown) => (error instanceof DecisionError ? error.reason : error),
  );

beforeEach(() => {
  effects.length = 0;
  asked = 0;
});

it("case 46: of three calls two need approval: neither runs before both are decided, and every call has one result", async () => {
  const Clerk = clerks([calls(call("c1", "send", '{"to":"ada"}'), call("c2", "note"), call("c3", "send", '{"to":"bob"}')), "Done."]);
  const paused = await new Clerk().generate("Go");
  expect(effects).toEqual(["note"]);
  const half = await new Clerk().resume(stored(paused), { decisions: [approve("c1")] });
  expect(effects).toEqual(["note"]);
  const agent = new Clerk();
  await agent.resume(stored(half), { decisions: [deny("c3")] });
  expect(effects).toEqual(["note", "send ada"]);
  expect(isPaired(agent.messages)).toBe(true);
});

it("case 47: a rule that would change its mind is asked once per call", async () => {
  const Clerk = clerks([calls(call("c1", "edit", '{"path":"a.txt"}')), "Done."]);
  const paused = await new Clerk().generate("Go");
  await new Clerk().resume(stored(paused));
  await new Clerk().resume(stored(paused), { decisions: [approve("c1")] });
  expect(asked).toBe(1);
  expect(effects).toEqual(["edit a.txt"]);
});

it("case 49: an approval holds if the run is resumed with a new context, which is the one that the tool gets", async () => {
  const Clerk = clerks([calls(call("c1", "edit", '{"path":"a.txt"}')), "Done."]);
  const paused = await new Clerk().generate("Go", { toolContext: { userId: "ada" } });
  await new Clerk().resume(stored(paused), { decisions: [approve("c1")], toolContext: { userId: "bob" } });
  expect(effects).toEqual(["edit a.txt for bob"]);
});

it("case 50: an approval of one file doesn't let another through, though call id and tool are the same", async () => {
  asked = 100;
  const Clerk = clerks([calls(call("c1", "edit", '{"path":"a.txt"}')), calls(call("c1", "edit", '{"path":"/etc/shadow"}')), "Done."]);
  const paused = await new Clerk().generate("Go");
  const again = await new Clerk().resume(stored(paused), { decisions: [approve("c1")] });
  expect(effects).toEqual(["edit a.txt"]);
  expect(again.confirmations).toMatchObject([{ tool: "edit", input: { path: "/etc/shadow" } }]);
});

it("case 52: what was done before a pause isn't done again, and each call gets its own answer", async () => {
  const Clerk = clerks([calls(call("c1", "note"), call("c2", "send", '{"to":"ada"}'), call("c3", "send", '{"to":"bob"}')), "Done."]);
  const paused = await new Clerk().generate("Go");
  const agent = new Clerk();
  await agent.resume(stored(paused), { decisions: [approveEdited("c3", { to: "eve" }), approve("c2")] });
  expect(effects).toEqual(["note", "send ada", "send eve"]);
});

it("case 53: a pause is no failure: it counts as no attempt, and the run waits", async () => {
  const Clerk = clerks([sends("c1"), "Done."]);
  const { outcome, state } = await new Clerk().generate("Go");
  expect(outcome.reason).toBe("awaiting_confirmation");
  expect(state?.ledger).toEqual({});
});

describe("a decision", () => {
  it("for a call whose id is a member of every object is found, and the call waits like others", async () => {
    const Clerk = clerks([calls(call("constructor", "note"), call("__proto__", "send", '{"to":"ada"}')), "Done."]);
    const paused = await new Clerk().generate("Go");
    expect(paused.confirmations?.map(({ callId }) => callId)).toEqual(["__proto__"]);
    expect((await new Clerk().resume(stored(paused))).outcome.reason).toBe("awaiting_confirmation");
    await new Clerk().resume(stored(paused), { decisions: [approve("__proto__")] });
    expect(effects).toEqual(["note", "send ada"]);
  });

  it("among several of which one was used is refused with them, and can be used by itself", async () => {
    const Clerk = clerks([sends("c1", "c2"), "Done."]);
    const paused = stored(await new Clerk().generate("Go"));
    const half = stored(await new Clerk().resume(paused, { decisions: [approve("c2")] }));
    expect(await reasonOf(new Clerk().resume(paused, { decisions: [approve("c1"), approve("c2")] }))).toBe("decided_before");
    expect((await new Clerk().resume(half, { decisions: [approve("c1")] })).text).toBe("Done.");
    expect(effects).toEqual(["send c1", "send c2"]);
  });

  it("of two people who decide different calls at the same time is never lost: one goes on from what the other left", async () => {
    const Clerk = clerks([sends("c1", "c2"), "Done."]);
    const paused = stored(await new Clerk().generate("Go"));
    const [first, second] = await Promise.allSettled(
      ["c1", "c2"].map((callId) => new Clerk().resume(paused, { decisions: [approve(callId)] })),
    );
    if (first?.status !== "fulfilled" || second?.status !== "rejected") throw new Error("the first decision counts");
    expect(second.reason).toMatchObject({ name: "DecisionError", reason: "decided_before" });
    const { text } = await new Clerk().resume(stored(first.value), { decisions: [approve("c2")] });
    expect(text).toBe("Done.");
    expect(effects).toEqual(["send c1", "send c2"]);
  });

  it("isn't used up if the claims fail", async () => {
    const Clerk = clerks([sends("c1", "c2"), "Done."]);
    const paused = stored(await new Clerk().generate("Go"));
    const decisions = [approve("c1"), approve("c2")];
    const directory = await mkdtemp(join(tmpdir(), "claims-"));
    const lost: DecisionClaims = { claim: () => Promise.reject(new Error("connection lost")) };
    await expect(new Clerk().resume(paused, { decisions, claims: lost })).rejects.toThrow("connection lost");
    await writeFile(join(directory, "file"), "");
    const blocked = new FileDecisionClaims(join(directory, "file"));
    await expect(new Clerk().resume(paused, { decisions, claims: blocked })).rejects.toThrow("EEXIST");
    expect((await new Clerk().resume(paused, { decisions, claims: new FileDecisionClaims(directory) })).text).toBe("Done.");
  });

  it("makes the directory of its files if it isn't there", async () => {
    const directory = join(await mkdtemp(join(tmpdir(), "claims-")), "a", "b");
    expect(await new FileDecisionClaims(directory).claim(["1".repeat(64)])).toBe(true);
    expect(await new FileDecisionClaims(directory).claim(["1".repeat(64)])).toBe(false);
  });

  it("of which a file is there already takes back the files of the others", async () => {
    const directory = await mkdtemp(join(tmpdir(), "claims-"));
    const claims = new FileDecisionClaims(directory);
    const [one, other] = ["1".repeat(64), "2".repeat(64)];
    expect(await claims.claim([other])).toBe(true);
    expect(await claims.claim([one, other])).toBe(false);
    expect(await readdir(directory)).toEqual([`${other}.decided`]);
    await expect(claims.claim([one, "../escape"])).rejects.toThrow("isn't the id of a decision");
    expect(existsSync(join(directory, `${one}.decided`))).toBe(false);
  });

  it("that edits without an object of arguments is refused, and the state can be resumed", async () => {
    const Clerk = clerks([sends("c1"), "Done."]);
    const paused = stored(await new Clerk().generate("Go"));
    for (const edited of [undefined, null, "{}", 7, [{ to: "eve" }]]) {
      // What comes over a network has no type.
      const decision = approveEdited("c1", edited as never);
      expect(await reasonOf(new Clerk().resume(paused, { decisions: [decision] }))).toBe("invalid_arguments");
    }
    await new Clerk().resume(paused, { decisions: [approve("c1")] });
    expect(effects).toEqual(["send c1"]);
  });

  it("that was made before an interruption is used once, however often the interrupted run is resumed", async () => {
    const Clerk = clerks([sends("c1"), "Done.", "Done."]);
    const paused = stored(await new Clerk().generate("Go"));
    const agent = new Clerk();
    const resuming = agent.resume(paused, { decisions: [approve("c1")] });
    agent.interrupt("shutting down");
    const interrupted = await resuming;
    expect(interrupted.outcome.reason).toBe("interrupted");
    expect(effects).toEqual([]);
    const ends = [await new Clerk().resume(stored(interrupted)), await new Clerk().resume(stored(interrupted))];
    expect(effects).toEqual(["send c1"]);
    expect(ends.map(({ text }) => text)).toEqual(["Done.", "Done."]);
    expect(ends[1]?.steps[0]?.toolCalls[0]?.content).toContain("was already used");
  });

  it("after the abort comes too late: the call is cancelled", async () => {
    const controller = new AbortController();
    let decided: Promise<unknown> | undefined;
    const slow: ConfirmationHandler = (confirmation) => {
      controller.abort("user left");
      const decision = new Promise<ReturnType<typeof approve>>((resolve) => setTimeout(() => resolve(approve(confirmation)), 5));
      decided = decision;
      return decision;
    };
    const agent = new (clerks([sends("c1"), "Done."]))();
    const response = await agent.generate("Go", { confirm: slow, abortSignal: controller.signal });
    await decided;
    expect(response.outcome).toEqual({ reason: "aborted", detail: "user left" });
    expect(agent.messages.at(-1)).toMatchObject({ toolCallId: "c1", errorType: "cancelled" });
    expect(effects).toEqual([]);
  });
});

describe("between a pause and its end", () => {
  it("a tool may be gone: approving its call throws an error (not_available), and a denial ends the run", async () => {
    const script = new ScriptedModel([sends("c1"), "Never mind."]);
    const make = (tools: readonly ToolClass[]) => {
      @model(script)
      @usesTools(tools)
      class ClerkAgent extends Agent {}
      return new ClerkAgent();
    };
    const paused = stored(await make([send, note]).generate("Go"));
    const agent = make([note]);
    await expect(agent.resume(paused, { decisions: [approve("c1")] })).rejects.toMatchObject({ reason: "not_available" });
    expect((await agent.resume(paused, { decisions: [deny("c1")] })).text).toBe("Never mind.");
    expect(effects).toEqual([]);
  });

  it("a tool may take other arguments: what doesn't fit any more isn't run, and the application is warned", async () => {
    const warnings = jest.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    const script = new ScriptedModel([sends("c1"), "Never mind."]);
    const make = (tool: ToolClass) => {
      @model(script)
      @usesTools([tool])
      class ClerkAgent extends Agent {}
      return new ClerkAgent();
    };
    const narrower = createTool({
      name: "send",
      description: "Sends a letter. Use for tests.",
      inputSchema: { type: "object", properties: { to: { type: "integer" } }, required: ["to"] },
      requiresConfirmation: true,
      execute: () => effects.push("sent"),
    });
    const paused = stored(await make(send).generate("Go"));
    const agent = make(narrower);
    await agent.resume(paused, { decisions: [approve("c1")] });
    expect(agent.messages[2]).toMatchObject({ errorType: "validation_error" });
    expect(warnings.mock.calls.map(([message]) => message)).toEqual([expect.stringContaining('"c1" (send)')]);
    warnings.mockRestore();
    expect(effects).toEqual([]);
  });

  it("another run of the instance refuses to be disturbed, and leaves the state as it was", async () => {
    const Clerk = clerks([sends("c1"), "Done.", "Done."]);
    const paused = stored(await new Clerk().generate("Go"));
    const agent = new Clerk();
    const [first, second] = await Promise.allSettled([
      agent.resume(paused, { decisions: [approve("c1")] }),
      agent.resume(paused, { decisions: [approve("c1")] }),
    ]);
    expect([first.status, second.status]).toEqual(["fulfilled", "rejected"]);
    expect(effects).toEqual(["send c1"]);
  });

  it("an open call has its result in the stream of its run, and none after its end", async () => {
    const agent = new (clerks([sends("c1"), "Hello."]))();
    const stream = agent.stream("Go");
    await stream.response;
    await agent.generate("Something else");
    const types: string[] = [];
    for await (const { type } of stream) types.push(type);
    expect(types.at(-1)).toBe("done");
  });
});

describe("a sub-agent that waits", () => {
  function offices(inner: readonly ScriptedStep[], tools: readonly ToolClass[] = [send, note]): new () => Agent {
    @model(new ScriptedModel(inner))
    @description("Writes letters. Use when there is one to send.")
    @usesTools(tools)
    class WriterAgent extends Agent {}

    @model(new ScriptedModel([calls(call("w", "writer_agent", '{"prompt":"Write"}')), "All is sent."]))
    @usesTools([WriterAgent])
    class OfficeAgent extends Agent {}

    return OfficeAgent;
  }

  it("has edits of its calls checked before they are used up", async () => {
    const Office = offices([sends("c1"), "Sent."]);
    const paused = stored(await new Office().generate("Go"));
    const wrong = new Office().resume(paused, { decisions: [approveEdited("w/c1", { to: 7, cc: "eve" })] });
    await expect(wrong).rejects.toThrow('The edited arguments of the call "w/c1" don\'t fit: to must be');
    expect((await new Office().resume(paused, { decisions: [approveEdited("w/c1", { to: "eve" })] })).text).toBe("All is sent.");
    expect(effects).toEqual(["send eve"]);
  });

  it("reads of an approval that came too late", async () => {
    const Office = offices([sends("c1"), "It was too late."]);
    const paused = stored(await new Office().generate("Go", { confirmationTimeout: 0 }));
    await new Promise((resolve) => setTimeout(resolve, 5));
    const done = await new Office().resume(paused, { decisions: [approve("w/c1")] });
    expect(done.steps[0]?.toolCalls[0]?.content).toBe("It was too late.");
    expect(effects).toEqual([]);
  });

  it("is decided by the handlers of the run that resumes it, once, and never by edits that don't fit", async () => {
    const Office = offices([sends("c1"), "Sent."]);
    const paused = stored(await new Office().generate("Go"));
    const claims = new MemoryDecisionClaims();
    const wrong = await new Office().resume(paused, { claims, confirm: (confirmation) => approveEdited(confirmation, { to: 7 }) });
    expect(wrong.outcome.reason).toBe("awaiting_confirmation");
    const resume = () => new Office().resume(paused, { claims, confirm: (confirmation) => approve(confirmation) });
    const [done, again] = [await resume(), await resume()];
    expect(done.text).toBe("All is sent.");
    expect(again.outcome.reason).toBe("awaiting_confirmation");
    expect(effects).toEqual(["send c1"]);
  });

  it("goes on where an interrupt of another framework left it, and repeats nothing", async () => {
    let waits = true;
    const wait = createTool({
      name: "wait",
      description: "Waits. Use for tests.",
      inputSchema: { type: "object" },
      execute: () => {
        if (!waits) return "answered";
        waits = false;
        throw markAsInterrupt(new Error("GraphInterrupt"));
      },
    });
    const Office = offices([calls(call("c1", "note")), calls(call("c2", "wait"), call("c3", "note")), "Sent."], [note, wait]);
    const agent = new Office();
    await expect(agent.generate("Go")).rejects.toThrow("GraphInterrupt");
    expect(effects).toEqual(["note", "note"]);
    expect((await new Office().resume(stored(agent))).text).toBe("All is sent.");
    expect(effects).toEqual(["note", "note"]);
  });

  it("isn't mixed up if two processes' worth of runs go on from one state at the same time", async () => {
    const Office = offices([sends("c1"), "Sent."]);
    const paused = stored(await new Office().generate("Go"));
    const ends = await Promise.all([1, 2].map(() => reasonOf(new Office().resume(paused, { decisions: [approve("w/c1")] }))));
    expect(ends.sort()).toEqual(["decided_before", "nothing was refused"]);
    expect(effects).toEqual(["send c1"]);
  });
});

describe("a listener that throws", () => {
  const methods = [
    "runStarted",
    "modelStarted",
    "modelFinished",
    "runFinished",
    "toolStarted",
    "toolFinished",
    "toolProgress",
    "log",
  ] as const;
  const throwing = Object.fromEntries(
    methods.map((name) => [
      name,
      () => {
        throw new Error(`${name} threw`);
      },
    ]),
  ) as AgentListener;

  const reporting = createTool({
    name: "reporting",
    description: "Reports. Use for tests.",
    inputSchema: { type: "object" },
    execute: (_input, { progress, log }) => {
      progress(0.5);
      log.info("half");
      return "ready";
    },
  });

  it("changes nothing for generate, resume, stream and resumeStream, and every method of it is warned of", async () => {
    const warn = jest.spyOn(process, "emitWarning").mockImplementation();
    const options = { listeners: [throwing] };
    const script = [calls(call("r", "reporting"), call("c1", "send", '{"to":"ada"}')), "Done."];
    const ends: AgentResponse[] = [];
    for (const streamed of [false, true]) {
      const Clerk = clerks(script, [reporting, send]);
      const agent = new Clerk();
      agent.onMessage(() => {
        throw new Error("onMessage threw");
      });
      const paused = streamed ? await agent.stream("Go", options).response : await agent.generate("Go", options);
      const resumed = { ...options, decisions: [approve("c1")] };
      ends.push(streamed ? await agent.resumeStream(stored(paused), resumed).response : await agent.resume(stored(paused), resumed));
    }
    const warnings = warn.mock.calls.map(([message]) => String(message)).join("\n");
    warn.mockRestore();
    expect(ends.map(({ text }) => text)).toEqual(["Done.", "Done."]);
    expect(effects).toEqual(["send ada", "send ada"]);
    for (const name of [...methods, "onMessage"]) expect(warnings).toContain(`${name} threw`);
  });
});

it("a model that calls the same failing tool forever is given up, and the run can be resumed", async () => {
  const broken = createTool({
    name: "broken",
    description: "Fails. Use for tests.",
    inputSchema: { type: "object" },
    execute: () => {
      throw new Error("disk full");
    },
  });
  const Clerk = clerks([...Array.from({ length: 8 }, (_, index) => calls(call(`c${index}`, "broken"))), "I give up."], [broken]);
  const agent = new Clerk();
  const stopped = await agent.generate("Go");
  expect(stopped.outcome).toMatchObject({ reason: "repeated_failure", detail: expect.stringContaining("broken:") });
  expect(isPaired(agent.messages)).toBe(true);
  expect((await new Clerk().resume(stored(stopped), { budget: { identicalFailures: 10 } })).text).toBe("I give up.");
});
