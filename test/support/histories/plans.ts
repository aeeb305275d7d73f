import type { Arbitrary } from "fast-check";
import type fastCheck from "fast-check";
import type { Message } from "../../../src/index.js";
import type { Wire } from "./rules.js";

export const wires: readonly Wire[] = [
  "openai",
  "openai-responses",
  "anthropic",
  "google",
  "mistral",
  "groq",
  "amazon-bedrock",
  "cohere",
  "deepseek",
  "xai",
  "openai-compatible",
];

export const toolKinds = ["work", "empty", "blank", "fail", "gated", "abort", "picture", "unknown"] as const;

/** What an id of a call looks like: the provider's own form, one of another kind, or one that was there before. */
export const idKinds = ["own", "long", "punctuated", "repeated", "missing"] as const;

const blanks = ["", " ", "\n\n", "Well."] as const;

export interface PlannedCall {
  readonly tool: (typeof toolKinds)[number];
  readonly id: (typeof idKinds)[number];
}

export interface PlannedStep {
  readonly wire: Wire;
  readonly text: string;
  readonly calls: readonly PlannedCall[];
  /** The tools of the step: all of them, one, or none. */
  readonly tools: "all" | "one" | "none";
}

/** One prompt, and what happens until the next one. */
export interface Turn {
  readonly wire: Wire;
  /** The first model fails, and this one is asked in its place. */
  readonly fallback: Wire | null;
  readonly prompt: "text" | "image" | "both";
  readonly steps: readonly PlannedStep[];
  readonly answer: string;
  readonly maxSteps: number;
  readonly toolChoice: "none" | "required" | "work" | null;
  /** What a person says to the calls that wait; `null`: the conversation goes on without them. */
  readonly decision: "approve" | "deny" | null;
  /** The history is stored, and restored by another agent. */
  readonly isRestored: boolean;
}

/** The library itself comes from the caller: each build of these files has its own. */
export type FastCheck = typeof fastCheck;

export function conversations(fc: FastCheck): Arbitrary<readonly Turn[]> {
  const call = fc.record({ tool: fc.constantFrom(...toolKinds), id: fc.constantFrom(...idKinds) });
  const step = fc.record({
    wire: fc.constantFrom(...wires),
    text: fc.constantFrom(...blanks),
    calls: fc.array(call, { minLength: 1, maxLength: 3 }),
    tools: fc.constantFrom("all", "all", "one", "none"),
  });
  const turn = fc.record({
    wire: fc.constantFrom(...wires),
    fallback: fc.option(fc.constantFrom(...wires), { freq: 3 }),
    prompt: fc.constantFrom("text", "text", "image", "both"),
    steps: fc.array(step, { maxLength: 3 }),
    answer: fc.constantFrom(...blanks),
    maxSteps: fc.integer({ min: 1, max: 5 }),
    toolChoice: fc.option(fc.constantFrom("none", "required", "work"), { freq: 3 }),
    decision: fc.option(fc.constantFrom("approve", "deny")),
    isRestored: fc.boolean(),
  });
  return fc.array(turn, { minLength: 1, maxLength: 4 });
}

/** Histories as an application or another library may have stored them: in any order, with blanks, doubled ids and lost results. */
export function storedHistories(fc: FastCheck): Arbitrary<readonly Message[]> {
  const text = fc.constantFrom(...blanks, "Hello.");
  const id = fc.constantFrom("call_1", "toolu.2", "abcdefghi", "functions.work:0", `long_${"x".repeat(80)}`);
  const call = fc.record({
    id,
    name: fc.constantFrom("work", "gone", "acme/find"),
    arguments: fc.constantFrom("{}", '{"n":1}', "{", "[]"),
  });
  const message = fc.oneof<Arbitrary<Message>[]>(
    fc.record({ role: fc.constant("system" as const), content: text }),
    fc.record({ role: fc.constant("user" as const), content: text }),
    fc.record({
      role: fc.constant("user" as const),
      content: fc.array(
        text.map((said) => ({ type: "text" as const, text: said })),
        { maxLength: 2 },
      ),
    }),
    fc.record({ role: fc.constant("assistant" as const), content: text }),
    fc.record({ role: fc.constant("assistant" as const), content: text, reasoning: text, toolCalls: fc.array(call, { maxLength: 3 }) }),
    fc.record({ role: fc.constant("tool" as const), toolCallId: id, toolName: fc.constant("work"), content: text }),
  );
  return fc.array(message, { maxLength: 8 });
}
