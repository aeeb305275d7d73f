import type { WaitingCall } from "../../src/studio/api.js";
import { barsOf } from "../../src/studio/page/agents/transcript-bars.js";
import { emptyTranscript, lastContext, after as next, type RunEvent, type Transcript } from "../../src/studio/page/agents/transcript.js";
import { steadyCalls } from "../../src/studio/page/runs/steady-calls.js";
import { editableJson, visibleText } from "../../src/studio/page/shared/hidden-characters.js";
import { draftOf, fieldsOf, readDraft, textIn } from "../../src/studio/page/tools/draft.js";

describe("the form of a tool", () => {
  const names = ["constructor", "toString", "__proto__"];
  const fields = fieldsOf({ type: "object", properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])) });

  it("has empty fields for parameters that are named as members of each object", () => {
    expect(fields.map(({ name }) => textIn({}, name))).toEqual(["", "", ""]);
    expect(readDraft(fields, {})).toEqual({ value: {}, faults: {} });
  });

  it("keeps the arguments of such parameters", () => {
    const given = JSON.parse('{ "constructor": "a", "toString": "b", "__proto__": "c" }');
    expect(JSON.stringify(readDraft(fields, draftOf(fields, given)).value)).toBe(JSON.stringify(given));
  });

  it("names a field whose text isn't JSON, whatever its name is", () => {
    const [field] = fieldsOf({ type: "object", properties: JSON.parse('{ "__proto__": { "type": "object" } }') });
    const { faults } = readDraft(field === undefined ? [] : [field], JSON.parse('{ "__proto__": "{" }'));
    expect(Object.entries(faults)).toEqual([["__proto__", expect.stringContaining("isn't JSON")]]);
  });
});

describe("characters that can't be seen", () => {
  it("are codes in a text", () => {
    expect(visibleText("pay \u202ekcab")).toBe("pay U+202Ekcab");
  });

  it("are escapes in arguments to edit, which stay what they are", () => {
    const given = { payee: "bank \u202elive\u{e0041}", note: "two\nlines" };
    const text = editableJson(given);
    expect(text).toBe('{\n  "payee": "bank \\u202elive\\udb40\\udc41",\n  "note": "two\\nlines"\n}');
    expect(JSON.parse(text)).toEqual(given);
  });
});

describe("the timeline of a run", () => {
  const transcriptOf = (...events: readonly (readonly [at: number, event: RunEvent])[]): Transcript =>
    events.reduce((before, [at, event]) => next(before, event, at), emptyTranscript);
  const call = { callId: "call_1", tool: "refund", step: 1 };
  const confirmation = { ...call, input: {}, requestedAt: "2026-01-01T00:00:00.000Z", expiresAt: "2026-01-01T00:00:10.000Z" };
  const asked: RunEvent = { type: "confirmation_required", step: 1, confirmation };
  const decided: RunEvent = { type: "decided", ...call, decision: "approve" };

  it("has the time that was measured beside a tool's code, though its other events come later", () => {
    const measured = transcriptOf(
      [5, { type: "call_finished", ...call, attempt: 1, duration: 2 }],
      [9, { type: "tool_started", ...call, attempt: 1, input: {} }],
      [14, { type: "tool_result", ...call, content: "Done." }],
    );
    expect(barsOf(measured)).toMatchObject([{ label: "refund", start: 3, end: 5 }]);
    expect(measured.entries).toMatchObject([{ duration: 2, state: "done" }]);
  });

  it("shows how long a decision waited for a process that takes it up", () => {
    const open = transcriptOf([1_000, asked], [3_000, decided]);
    expect(barsOf(open)).toMatchObject([
      { label: "refund, waits", kind: "wait", start: 1_000, end: 3_000 },
      { label: "refund, decided", kind: "wait", start: 3_000, end: undefined },
    ]);
    const ended = next(open, { type: "tool_result", ...call, content: "Done." }, 9_500, 9_000);
    expect(barsOf(ended)).toMatchObject([
      { label: "refund, waits" },
      { label: "refund, decided", start: 3_000, end: 9_000 },
      { label: "refund", kind: "call", start: 9_000, end: 9_500 },
    ]);
  });

  it("says of a wait that it became too long for an approval", () => {
    const late = transcriptOf([1_000, asked], [12_000, { ...decided, decision: "deny" }]);
    expect(barsOf(late)[0]).toMatchObject({ label: "refund, waits, too late to approve" });
  });
});

describe("the calls of the inbox", () => {
  const call = (id: string): WaitingCall => ({
    ...{ id, runId: "order-1", callId: id, agent: "shop", tool: "refund", description: "Refund" },
    ...{ category: "money", consequenceLevel: "high", kind: "confirmation", expiresAt: "2026-01-01T00:00:10.000Z" },
    ...{ arguments: [], warnings: [], input: {}, hidden: [] },
  });

  it("keep their place if they are decided elsewhere, and new ones come last", () => {
    const first = steadyCalls([], [call("a"), call("b")]);
    const second = steadyCalls(first, [call("new"), call("b")]);
    expect(second.map(({ call: { id }, isGone }) => [id, isGone])).toEqual([
      ["a", true],
      ["b", false],
      ["new", false],
    ]);
  });
});

describe("the context of a chat", () => {
  it("is the one of the last decision, if that had another than the prompt", () => {
    const prompt = next(emptyTranscript, { type: "user", text: "Refund it", context: { userId: "1" } }, 0);
    expect(lastContext(prompt)).toBe('{"userId":"1"}');
    const decided = next(prompt, { type: "context_changed", context: { userId: "2" } }, 1);
    expect(lastContext(decided)).toBe('{"userId":"2"}');
    expect(decided.entries.at(-1)).toMatchObject({ kind: "note", text: 'Decided with another context: {"userId":"2"}' });
  });
});
