import { type ContentPart, messageText } from "../../models/index.js";
import type { GuardrailSituation, InputGuardrail, OutputGuardrail } from "./guardrail.js";
import { nameOfGuard } from "./make-guardrails.js";
import type { Verdict } from "./verdict.js";

/** A guardrail refused the text. */
export interface Blocked {
  readonly blocked: string;
  readonly details?: unknown;
  readonly text?: undefined;
  readonly prompt?: undefined;
}

/** What goes on after all guardrails passed it, perhaps changed. */
export type CheckedInput = { readonly prompt: string | readonly ContentPart[]; readonly blocked?: undefined } | Blocked;
export type CheckedOutput = { readonly text: string; readonly blocked?: undefined } | Blocked;

/**
 * Asks the guardrails one after another, each for what the one before it made of the prompt; the first block ends it.
 * They see the text of all parts at once: what is split over several can't pass by. A changed text takes the place of
 * the first text part, and the other texts go. What a guardrail throws is thrown.
 */
export async function checkInput(
  guards: readonly InputGuardrail[],
  prompt: string | readonly ContentPart[],
  situation: GuardrailSituation,
): Promise<CheckedInput> {
  const text = messageText(prompt);
  const checked = await askAll(guards, text, (guard, current) => guard.checkInput(current, situation));
  if (checked.blocked !== undefined) return checked;
  return { prompt: checked.text === text ? prompt : withText(prompt, checked.text) };
}

/** The same for what the model says. */
export function checkOutput(guards: readonly OutputGuardrail[], text: string, situation: GuardrailSituation): Promise<CheckedOutput> {
  return askAll(guards, text, (guard, current) => guard.checkOutput(current, situation));
}

async function askAll<Guard>(
  guards: readonly Guard[],
  text: string,
  ask: (guard: Guard, text: string) => Verdict | Promise<Verdict>,
): Promise<CheckedOutput> {
  let current = text;
  for (const guard of guards) {
    // A check that forgot to answer must not let anything through, whatever its types say.
    const verdict: Verdict | undefined = await ask(guard, current);
    if (verdict?.type === "block") {
      const { reason, details } = verdict;
      return { blocked: reason, ...(details !== undefined && { details }) };
    }
    if (verdict?.type === "transform" && typeof verdict.text === "string") current = verdict.text;
    // A text beside "pass" was meant to take the place of the one that it would let through.
    else if (verdict?.type !== "pass" || Object.keys(verdict).length > 1) throw noVerdict(guard, verdict);
  }
  return { text: current };
}

function withText(prompt: string | readonly ContentPart[], text: string): string | readonly ContentPart[] {
  if (typeof prompt === "string") return text;
  const changed: ContentPart = { type: "text", text };
  const first = prompt.findIndex(({ type }) => type === "text");
  if (first === -1) return [changed, ...prompt];
  return prompt.flatMap((part, index): ContentPart[] => (index === first ? [changed] : part.type === "text" ? [] : [part]));
}

const noVerdict = (guard: unknown, verdict: unknown): TypeError =>
  new TypeError(
    `The guardrail ${nameOfGuard(guard)} gave ${JSON.stringify(verdict)}, which isn't a verdict. Return pass(), transform(text) or block(reason).`,
  );
