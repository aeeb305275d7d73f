import { request as send } from "node:http";
import { addSecret } from "../../src/index.js";
import type { Studio } from "../../src/studio/index.js";
import { ask, endless, openStudio } from "./studio.js";

let studio: Studio;
beforeAll(async () => {
  studio = await openStudio();
});
afterAll(() => studio.close());

const call = async (tool: string, given: object, context: object = {}) =>
  (await ask(studio, `/api/tools/${tool}/calls`, { arguments: given, context })).events;
const decide = (id: string, decision: object) => ask(studio, `/api/calls/${id}/decision`, decision);

describe("a tool in the studio", () => {
  it("has its schema in each provider's form", async () => {
    const { json } = await ask(studio, "/api/tools/get_weather");
    expect(json).toMatchObject({ name: "get_weather", className: "WeatherTool", parameters: { required: ["city"] }, approval: false });
    const openai = json.providers.find(({ provider }: { provider: string }) => provider === "openai-chat");
    expect(openai.tool).toMatchObject([{ type: "function", function: { name: "get_weather", strict: true } }]);
  });

  it("has every fault of its arguments, by path", async () => {
    const { json } = await ask(studio, "/api/tools/get_weather/check", { arguments: { daysAhead: 0, town: "Paris" } });
    expect(json.faults).toEqual([
      { path: "city", message: "is required" },
      { path: "daysAhead", message: "must be at least 1, got 0" },
      { path: "town", message: "is unknown (known: city, unit, daysAhead, details, without)" },
    ]);
  });

  it("shows valid arguments with their defaults", async () => {
    const { json } = await ask(studio, "/api/tools/get_weather/check", { arguments: { city: "Paris" } });
    expect(json).toEqual({ faults: [], input: { city: "Paris", unit: "celsius" } });
  });
});

describe("a call in the studio", () => {
  it("has the result, its text for a model and the attempts", async () => {
    const events = await call("get_weather", { city: "Paris" });
    expect(events.map(({ type }) => type)).toEqual(["started", "result"]);
    expect(events[1]).toMatchObject({
      ...{ ok: true, data: "Sunny in Paris, in celsius.", text: "Sunny in Paris, in celsius." },
      attempts: [{ attempt: 1, input: { city: "Paris", unit: "celsius" }, duration: expect.any(Number) }],
    });
  });

  it("fails with bad arguments as a model's call does", async () => {
    expect(await call("get_weather", {})).toMatchObject([
      { type: "result", ok: false, errorType: "validation_error", error: "city is required" },
    ]);
  });

  it("waits for a person, and runs what was shown", async () => {
    const [waiting] = await call("refund", { order: "A-17" }, { userId: "7" });
    expect(waiting).toMatchObject({
      type: "waiting",
      call: { kind: "confirmation", tool: "refund", arguments: [{ name: "order", text: '"A-17"' }] },
    });
    const { events } = await decide(waiting.call.id, { decision: "approve" });
    expect(events.at(-1)).toMatchObject({ type: "result", ok: true, data: "Refunded A-17 for 7." });
  });

  it("counts a decision once", async () => {
    const [waiting] = await call("refund", { order: "A-17" });
    await decide(waiting.call.id, { decision: "deny", reason: "Too late" });
    const { status, json } = await decide(waiting.call.id, { decision: "approve" });
    expect(status).toBe(404);
    expect(json.error).toContain("This call doesn't wait any more");
  });

  it("runs with edited arguments, which are validated", async () => {
    const [waiting] = await call("refund", { order: "A-17" });
    const edited = await decide(waiting.call.id, { decision: "approve_edited", arguments: { order: "B-4" } });
    expect(edited.events.at(-1)).toMatchObject({ data: "Refunded B-4 for nobody." });
    const [again] = await call("refund", { order: "A-17" });
    const wrong = await decide(again.call.id, { decision: "approve_edited", arguments: { order: 5, amount: 1 } });
    expect(wrong.events.at(-1)).toMatchObject({ ok: false, errorType: "validation_error" });
  });

  it("takes no answer for a call that waits for an approval", async () => {
    const [waiting] = await call("refund", { order: "A-17" });
    expect((await decide(waiting.call.id, { decision: "answer", value: "yes" })).status).toBe(400);
    // It still waits.
    expect((await decide(waiting.call.id, { decision: "approve" })).events.at(-1)).toMatchObject({ ok: true });
  });

  it("is cancelled when the page is closed", async () => {
    await new Promise<void>((done) => {
      const headers = { authorization: `Bearer ${studio.token}`, "content-type": "application/json" };
      const request = send(
        { host: "127.0.0.1", port: studio.port, path: "/api/tools/endless/calls", method: "POST", headers },
        (response) => {
          response.on("data", (chunk: Buffer) => chunk.toString().includes("started") && request.destroy());
          response.on("error", () => undefined).on("close", done);
        },
      );
      request.on("error", () => undefined);
      request.end("{}");
    });
    while (!endless.aborted) await new Promise((next) => setTimeout(next, 5));
    expect(endless.aborted).toBe(true);
  });

  it("sends no known secret to the page", async () => {
    addSecret("hunter2-and-more");
    const { text } = await ask(studio, "/api/tools/get_weather/calls", { arguments: { city: "hunter2-and-more" } });
    expect(text).toContain("Sunny in [redacted]");
    expect(text).not.toContain("hunter2-and-more");
  });
});
