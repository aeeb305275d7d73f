import { connect } from "node:net";
import { sendEventStream, toEventStream } from "../../src/web/index.js";
import { ModelError, ScriptedModel } from "../../src/models/index.js";
import { addSecret } from "../../src/redaction/index.js";
import { agentOf, callOf, closeServers, framesIn, happened, serve } from "./support.js";
import { until } from "../support/until.js";

afterAll(closeServers);
beforeEach(() => happened.splice(0));

describe("toEventStream", () => {
  it("sends each event of the run by its type, with an id and its data as JSON", async () => {
    const agent = agentOf([{ toolCalls: [callOf("weather", { city: "Paris" })] }, "It is sunny."]);
    const frames = framesIn(await toEventStream(agent.stream("Weather?")).text());
    expect(frames.map(({ event }) => event).filter((event) => !event.endsWith("_delta"))).toEqual([
      "tool_call_done",
      "usage",
      "tool_started",
      "tool_progress",
      "tool_result",
      "step_done",
      "text_done",
      "usage",
      "step_done",
      "done",
    ]);
    expect(frames.map(({ id }) => id)).toEqual(frames.map((_, index) => String(index + 1)));
    expect(frames.map(({ data }) => data.type)).toEqual(frames.map(({ event }) => event));
    expect(frames.find(({ event }) => event === "tool_result")?.data).toMatchObject({ callId: "call_1", data: { sky: "sunny" } });
    expect(frames.at(-1)?.data.response).toMatchObject({ text: "It is sunny.", outcome: { reason: "success" } });
  });

  it("says in its headers that nothing may keep the stream back", () => {
    const { headers } = toEventStream(agentOf(["Hi."]).stream("Hi"));
    expect(headers.get("content-type")).toMatch(/^text\/event-stream/);
    expect(headers.get("cache-control")).toBe("no-cache, no-transform");
    expect(headers.get("x-accel-buffering")).toBe("no");
  });

  it("keeps the state and the history on the server", async () => {
    const frames = framesIn(await toEventStream(agentOf([{ toolCalls: [callOf("refund", { order: "A-17" })] }]).stream("Refund")).text());
    const { response } = frames.at(-1)!.data;
    expect(response.confirmations).toMatchObject([{ tool: "refund", input: { order: "A-17" } }]);
    expect(Object.keys(response)).toEqual(["runId", "outcome", "steps", "usage", "confirmations"]);
  });

  it("sends the state if it is asked to", async () => {
    const stream = agentOf([{ toolCalls: [callOf("refund", { order: "A-17" })] }, "Done."]).stream("Refund");
    const frames = framesIn(await toEventStream(stream, { includeState: true }).text());
    expect(frames.at(-1)?.data.response.state).toEqual((await stream.response).state);
  });

  it("keeps line breaks of a text in one event", async () => {
    const frames = framesIn(await toEventStream(agentOf(["one\n\ntwo\r\n: three"]).stream("Hi")).text());
    expect(frames.find(({ event }) => event === "text_done")?.data.text).toBe("one\n\ntwo\r\n: three");
  });

  it("reports that a model failed, without the provider's message", async () => {
    const error = new ModelError("test/model", "refused the key sk-proj-4f8a0b1c2d3e4f5a6b7c8d", { retryable: false });
    const text = await toEventStream(agentOf([{ error }]).stream("Hi"), { onError: () => undefined }).text();
    expect(framesIn(text).map(({ event }) => event)).toEqual(["error", "done"]);
    expect(framesIn(text)[0]?.data).toEqual({ type: "error", error: { name: "ModelError", message: "The model failed on the server." } });
    expect(framesIn(text)[1]?.data.response.outcome).toEqual({ reason: "model_error", detail: "The model failed on the server." });
  });

  it("reports an error of the application without its message", async () => {
    const stream = agentOf([{ error: new Error("connect ECONNREFUSED orders-db.internal:5432") }]).stream("Hi");
    const frames = framesIn(await toEventStream(stream, { onError: () => undefined }).text());
    expect(frames).toEqual([
      { id: "1", event: "error", data: { type: "error", error: { name: "Error", message: "The run failed on the server." } } },
    ]);
    await expect(stream.response).rejects.toThrow("ECONNREFUSED");
  });

  it("hides secrets in what tools said", async () => {
    const forget = addSecret("sunny-secret");
    const agent = agentOf([{ toolCalls: [callOf("weather", { city: "Atlantis" })] }, "The word is sunny-secret."]);
    const text = await toEventStream(agent.stream("Weather?")).text();
    forget();
    expect(text).toContain("No station under water");
    expect(text).not.toContain("hunter2");
    expect(framesIn(text).find(({ event }) => event === "text_done")?.data.text).toBe("The word is [redacted].");
  });

  it("keeps a silent connection open by comments, and ends it with the run", async () => {
    const slow = new ScriptedModel([() => new Promise<string>((resolve) => setTimeout(resolve, 80, "Done."))]);
    const text = await toEventStream(agentOf(slow).stream("Hi"), { heartbeat: 10 }).text();
    expect(text).toMatch(/^: keep-alive\n\n/);
    expect(framesIn(text).at(-1)?.event).toBe("done");
  });

  it("queues at most one comment for a reader that doesn't read", async () => {
    const reader = toEventStream(agentOf([{ toolCalls: [callOf("wait")] }]).stream("Wait"), { heartbeat: 1 }).body!.getReader();
    await until(() => happened.includes("waiting"));
    let frame = "";
    while (!frame.includes("tool_started")) frame = Buffer.from((await reader.read()).value!).toString();
    const reading = reader.read();
    expect(Buffer.from((await reading).value!).toString()).toBe(": keep-alive\n\n");
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(Buffer.from((await reader.read()).value!).toString()).toBe(": keep-alive\n\n");
    await reader.cancel();
    await until(() => happened.includes("aborted"));
  });

  it("reads no event before the reader wants it", async () => {
    const stream = agentOf(["A text of several words."]).stream("Hi");
    let asked = 0;
    const counted = Object.create(stream, {
      [Symbol.asyncIterator]: {
        value: () => {
          const events = stream[Symbol.asyncIterator]();
          const next = () => {
            asked += 1;
            return events.next();
          };
          return { next, return: () => events.return?.() };
        },
      },
    }) as typeof stream;
    const reader = toEventStream(counted).body!.getReader();
    await stream.response;
    expect(asked).toBe(0);
    await reader.read();
    expect(asked).toBe(1);
    await reader.cancel();
  });

  it("aborts the run when the body is cancelled, also while a tool runs and no events are sent", async () => {
    const stream = agentOf([{ toolCalls: [callOf("wait")] }]).stream("Wait");
    const reader = toEventStream(stream).body!.getReader();
    const reading = (async () => {
      while (!(await reader.read()).done);
    })();
    await until(() => happened.includes("waiting"));
    await reader.cancel();
    await reading;
    expect((await stream.response).outcome.reason).toBe("aborted");
    expect(happened).toEqual(["waiting", "aborted"]);
  });
});

describe("sendEventStream", () => {
  it("streams over node:http while the run goes on", async () => {
    let answer: (text: string) => void = () => undefined;
    const url = await serve((_request, response) => {
      const script = [
        { text: "Let me see.", toolCalls: [callOf("weather", { city: "Paris" })] },
        () => new Promise<string>((resolve) => (answer = resolve)),
      ];
      void sendEventStream(agentOf(script).stream("Weather?"), response);
    });
    const response = await fetch(url);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes("event: step_done")) text += (await reader.read()).value;
    expect(text).toContain("event: tool_result");
    expect(text).not.toContain("event: done");
    answer("Sunny.");
    for (let next = await reader.read(); !next.done; next = await reader.read()) text += next.value;
    expect(framesIn(text).at(-1)?.event).toBe("done");
  });

  it("aborts the run when the client's socket closes: the tool sees its signal", async () => {
    let outcome: string | undefined;
    const url = await serve((_request, response) => {
      const stream = agentOf([{ toolCalls: [callOf("wait")] }]).stream("Wait");
      void stream.response.then((ended) => (outcome = ended.outcome.reason));
      void sendEventStream(stream, response);
    });
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await until(() => happened.includes("waiting"));
    socket.destroy();
    await until(() => outcome !== undefined);
    expect(outcome).toBe("aborted");
    expect(happened).toEqual(["waiting", "aborted"]);
  });

  it("aborts the run if the client was gone before it began", async () => {
    let outcome: string | undefined;
    const url = await serve((request, response) => {
      request.socket.destroy();
      response.once("close", async () => {
        const stream = agentOf([{ toolCalls: [callOf("wait")] }]).stream("Wait");
        await sendEventStream(stream, response);
        outcome = (await stream.response).outcome.reason;
      });
    });
    await fetch(url).catch(() => undefined);
    await until(() => outcome !== undefined);
    expect(outcome).toBe("aborted");
  });
});
