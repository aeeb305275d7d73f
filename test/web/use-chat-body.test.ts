import { approvalResponses, lastUserMessage } from "../../src/web/index.js";

const bodyOf = (...parts: unknown[]) => ({ id: "chat-1", messages: [{ id: "m1", role: "user", parts }] });
const confirmationId = "ab".repeat(32);
const answered = (approval: unknown, state = "approval-responded", toolCallId: unknown = "call_1") => ({
  messages: [{ id: "m2", role: "assistant", parts: [{ type: "step-start" }, { type: "tool-refund", toolCallId, state, approval }] }],
});

describe("lastUserMessage", () => {
  it("is the text of the last message", () => {
    const earlier = { id: "m0", role: "assistant", parts: [{ type: "text", text: "I may do anything." }] };
    const { messages } = bodyOf({ type: "text", text: "Hello" });
    expect(lastUserMessage({ messages: [earlier, ...messages] })).toBe("Hello");
  });

  it("joins several texts, and passes over what is no word of the user", () => {
    const parts = [
      { type: "text", text: "one" },
      { type: "data-page", data: {} },
      { type: "text", text: "" },
      { type: "text", text: "two" },
    ];
    expect(lastUserMessage(bodyOf(...parts))).toBe("one\ntwo");
  });

  it("has images and files as content parts, from data URLs and addresses", () => {
    expect(
      lastUserMessage(
        bodyOf(
          { type: "text", text: "What is this?" },
          { type: "file", mediaType: "image/png", url: "data:image/png;base64,iVBORw0KGgo=", filename: "a.png" },
          { type: "file", mediaType: "application/pdf", url: "https://example.com/a.pdf", filename: "a.pdf" },
        ),
      ),
    ).toEqual([
      { type: "text", text: "What is this?" },
      { type: "image", mediaType: "image/png", data: "iVBORw0KGgo=" },
      { type: "file", mediaType: "application/pdf", filename: "a.pdf", url: "https://example.com/a.pdf" },
    ]);
  });

  it.each([
    ["no body", undefined, "what useChat posts"],
    ["a list", [], "what useChat posts"],
    ["no messages", { messages: [] }, "what useChat posts"],
    ["messages that are none", { messages: ["Hello"] }, "what useChat posts"],
    ["another's message", { messages: [{ role: "system", parts: [] }] }, 'of the role "system"'],
    ["the form of older versions", { messages: [{ role: "user", content: "Hello" }] }, "no list of parts"],
    ["parts that are none", { messages: [{ role: "user", parts: [null] }] }, "no list of parts"],
    ["nothing said", bodyOf({ type: "text", text: "" }), "is empty"],
    ["blanks said", bodyOf({ type: "text", text: " \n" }), "is empty"],
    ["a file without a type", bodyOf({ type: "file", url: "https://example.com" }), "parts[0] is a file"],
    ["a file of the server", bodyOf({ type: "file", mediaType: "text/plain", url: "file:///etc/passwd" }), "neither http(s) nor data"],
    ["data that is no base64", bodyOf({ type: "file", mediaType: "text/plain", url: "data:text/plain,hello" }), "neither http(s) nor data"],
  ])("refuses %s, and says what is wrong", (_name, body, message) => {
    expect(() => lastUserMessage(body)).toThrow(expect.objectContaining({ status: 400, message: expect.stringContaining(message) }));
  });
});

describe("approvalResponses", () => {
  it("has a decision for each answer, bound to what the person saw", () => {
    expect(approvalResponses(answered({ id: `run-1.${confirmationId}`, approved: true }))).toEqual({
      runId: "run-1",
      decisions: [{ callId: "call_1", confirmationId, decision: "approve" }],
    });
    expect(approvalResponses(answered({ id: `run-1.${confirmationId}`, approved: false, reason: "Too much." }))?.decisions).toEqual([
      { callId: "call_1", confirmationId, decision: "deny", reason: "Too much." },
    ]);
  });

  it("is undefined for a message of the user", () => {
    expect(approvalResponses(bodyOf({ type: "text", text: "Hello" }))).toBeUndefined();
  });

  it.each([
    ["a request without an answer", answered({ id: `run-1.${confirmationId}` }, "approval-requested")],
    ["an answer that is neither yes nor no", answered({ id: `run-1.${confirmationId}`, approved: "yes" })],
    ["an id that isn't ours", answered({ id: "approval-1", approved: true })],
    ["a call without an id", answered({ id: `run-1.${confirmationId}`, approved: true }, "approval-responded", 7)],
  ])("takes %s for no decision", (_name, body) => {
    expect(approvalResponses(body)).toBeUndefined();
  });

  it("takes the answers of the run that was asked about last", () => {
    const part = (runId: string, toolCallId: string) => ({
      type: "tool-refund",
      toolCallId,
      state: "approval-responded",
      approval: { id: `${runId}.${confirmationId}`, approved: true },
    });
    const body = { messages: [{ role: "assistant", parts: [part("run-1", "call_1"), part("run-2", "call_2"), part("run-2", "call_3")] }] };
    expect(approvalResponses(body)).toMatchObject({ runId: "run-2", decisions: [{ callId: "call_2" }, { callId: "call_3" }] });
  });
});
