import fc from "fast-check";
import { Agent, model, usesTools } from "../../src/agent/index.js";
import { confirmationCard, confirmationCardHtml, decisionFromForm } from "../../src/confirmation/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { description, identifier, required, requiresConfirmation, Tool } from "../../src/tool/index.js";
import { confirmationWith } from "../support/confirmation.js";

@identifier("refund")
@description("Refunds an order. Use when the user wants the money back.")
@requiresConfirmation()
class RefundTool extends Tool {
  @required(String) order!: string;

  call() {
    return `Refunded ${this.order}.`;
  }
}

/** A run that waits for the refund of A-17, and the class of its agent. */
async function pausedRun() {
  @model(new ScriptedModel([{ toolCalls: [{ name: "refund", arguments: { order: "A-17" } }] }, "Done."]))
  @usesTools([RefundTool])
  class RefundAgent extends Agent {}

  const paused = await new RefundAgent().generate("Refund A-17");
  if (paused.state === undefined || paused.confirmations?.[0] === undefined) throw new Error(`The run ended: ${paused.outcome.reason}`);
  return { RefundAgent, state: paused.state, confirmation: paused.confirmations[0] };
}

/** What a browser posts: the hidden fields, what the person wrote, and the button. */
function press(html: string, decision: string, reason = ""): URLSearchParams {
  const form = new URLSearchParams();
  for (const [, name = "", value = ""] of html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)) form.set(name, value);
  form.set("reason", reason);
  form.set("decision", decision);
  return form;
}

describe('seed 003, "requiresConfirmation"', () => {
  it("a chat page shows a confirmation card and waits for a button click", async () => {
    const { RefundAgent, state, confirmation } = await pausedRun();
    const card = confirmationCard(confirmation);
    expect(card).toMatchObject({
      title: "Run refund?",
      description: "Refunds an order. Use when the user wants the money back.",
      lines: [
        { name: "agent", text: "refund_agent" },
        { name: "category", text: "side_effect" },
        { name: "consequence", text: "medium" },
      ],
      arguments: [{ name: "order", text: '"A-17"' }],
      expiresAt: confirmation.expiresAt,
    });
    const { payload } = card.actions.find(({ name }) => name === "approve")!;
    expect(payload.runId).toBe(state.runId);
    const done = await new RefundAgent().resume(state, { decisions: payload.decisions });
    expect(done.text).toBe("Done.");
  });
});

describe("the card", () => {
  it("is plain JSON", () => {
    const card = confirmationCard(confirmationWith());
    expect(JSON.parse(JSON.stringify(card))).toEqual(card);
  });

  it("shows each argument as JSON, and texts of several lines with their lines", () => {
    const input = { count: 2, flag: "true", letter: 'Dear "Ada",\nhello', list: [{ a: 1 }], none: null };
    expect(confirmationCard(confirmationWith({ input })).arguments).toEqual([
      { name: "count", text: "2" },
      { name: "flag", text: '"true"' },
      { name: "letter", text: '"Dear "Ada",\nhello"' },
      { name: "list", text: '[\n  {\n    "a": 1\n  }\n]' },
      { name: "none", text: "null" },
    ]);
  });

  it("shows what can't be seen: direction marks, escape sequences, characters of no width, lone surrogates", () => {
    const input = {
      file: "invoice\u202efdp.exe",
      payee: "ad\u200bmin",
      tags: "\u{e0041}x\ud800",
      screen: "\u001b[2J\nnew",
      "a\u202eb c": "\ufeff",
    };
    const shown = confirmationCard(confirmationWith({ input })).arguments;
    expect(shown).toEqual([
      { name: "file", text: '"invoice<U+202E>fdp.exe"' },
      { name: "payee", text: '"ad<U+200B>min"' },
      { name: "tags", text: '"<U+E0041>x\\ud800"' },
      { name: "screen", text: '"<U+001B>[2J\nnew"' },
      { name: '"a<U+202E>b c"', text: '"<U+FEFF>"' },
    ]);
  });

  it("leaves what people write as it is", () => {
    const input = { text: "Größe 10 € – שלום, हिन्दी, Việt, 東京 🎉" };
    expect(confirmationCard(confirmationWith({ input })).arguments[0]?.text).toBe(`"${input.text}"`);
  });

  it("breaks up marks that would pile up over the lines above", () => {
    const [shown] = confirmationCard(confirmationWith({ input: { text: `a${"\u0301".repeat(9)}` } })).arguments;
    expect(shown?.text).toBe(`"a${"\u0301".repeat(3)}${"<U+0301>".repeat(6)}"`);
  });
});

describe("the card as HTML", () => {
  it("is a form that works without a script: what it posts resumes the run", async () => {
    const { RefundAgent, state, confirmation } = await pausedRun();
    const html = confirmationCardHtml(confirmation, { action: "/decide", fields: { csrf: "t0ken" } });
    expect(html).toContain('<form class="confirmation" method="post" action="/decide">');
    const form = press(html, "deny", " too late ");
    expect(form.get("csrf")).toBe("t0ken");
    const { runId, decision } = decisionFromForm(form);
    expect(runId).toBe(state.runId);
    expect(decision).toMatchObject({ decision: "deny", reason: "too late" });
    const agent = new RefundAgent();
    await agent.resume(state, { decisions: [decision] });
    expect(agent.messages.at(-2)).toMatchObject({
      role: "tool",
      errorType: "confirmation_denied",
      content: expect.stringContaining("too late"),
    });
  });

  it("escapes all that a model or a remote server wrote", () => {
    const attack = `</pre></form><script>alert("1")</script><img src=x onerror='x'>&amp;`;
    const html = confirmationCardHtml(
      confirmationWith({ agent: attack, tool: attack, description: attack, callId: attack, input: { [attack]: attack } }),
      { action: '/decide?a=1&b="' },
    );
    expect(html).not.toMatch(/<script|<img|onerror='/);
    expect(html.match(/<\/form>/g)).toHaveLength(1);
    expect(html).toContain("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;");
    expect(html).toContain('action="/decide?a=1&amp;b=&quot;"');
  });

  it("has no tag but its own, whatever the arguments are", () => {
    const tags = (html: string) => html.replace(/"[^"]*"/g, '""').match(/<\/?\w+/g);
    const plain = tags(confirmationCardHtml(confirmationWith({ input: { key: "value" } }), { action: "/" }));
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.jsonValue(), (name, value) => {
        const html = confirmationCardHtml(confirmationWith({ input: Object.fromEntries([[name, value]]) }), { action: "/" });
        expect(tags(html)).toEqual(plain);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
        expect(html).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/);
      }),
    );
  });

  it("denies when Enter is pressed in the reason, because browsers press the first button then", () => {
    const [first] = /<button [^>]*>/.exec(confirmationCardHtml(confirmationWith(), { action: "/" })) ?? [];
    expect(first).toBe('<button name="decision" value="deny">');
  });

  it("lets no field of the application stand for one of its own", () => {
    const form = press(confirmationCardHtml(confirmationWith(), { action: "/", fields: { callId: "call_2" } }), "approve");
    expect(form.get("callId")).toBe("call_1");
  });
});

describe("decisionFromForm", () => {
  it.each([
    ["an empty form", {}],
    ["a form without the confirmation", { runId: "run_1", callId: "call_1", decision: "approve" }],
    ["another decision", { runId: "run_1", callId: "call_1", confirmationId: "c", decision: "approve_edited" }],
  ])("refuses %s", (_what, fields) => {
    expect(() => decisionFromForm(new URLSearchParams(fields))).toThrow("this isn't the form of confirmationCardHtml");
  });
});
