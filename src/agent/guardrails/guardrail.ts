import type { Message } from "../../models/index.js";
import type { ApplicationContext } from "../../tool/index.js";
import type { Verdict } from "./verdict.js";

/** What a guardrail receives besides the text. */
export interface GuardrailSituation {
  /** The agent's name. */
  readonly agent: string;
  /** The id of the run. */
  readonly runId: string;
  /** The application's `toolContext`. */
  readonly context: ApplicationContext & Record<string, unknown>;
  /** The history without the text that is checked. The list changes during the run: read it, don't keep it. */
  readonly messages: readonly Message[];
}

/** Checks the user's text before it joins the history. See docs/03-agents.md. */
export interface InputGuardrail {
  /** Returns `pass()`, `transform(text)` or `block(reason)`. `input` is the whole text of the prompt, without images and files. */
  checkInput(input: string, situation: GuardrailSituation): Verdict | Promise<Verdict>;
}

/** Checks each text of the model before it joins the history, is streamed, or is parsed as structured output. See docs/03-agents.md. */
export interface OutputGuardrail {
  /** Returns `pass()`, `transform(text)` or `block(reason)`. */
  checkOutput(output: string, situation: GuardrailSituation): Verdict | Promise<Verdict>;
}

/** A guardrail for both directions: the user's text and the model's. See docs/03-agents.md. */
export interface Guardrail extends InputGuardrail, OutputGuardrail {}

/** What a guardrail checks: the user's text (`"before"`), the model's text (`"after"`), or both (`"around"`). */
export type GuardrailMoment = "before" | "after" | "around";

/** What a guardrail of a moment must be able to do. */
export type GuardrailFor<Moment extends GuardrailMoment> = Moment extends "before"
  ? InputGuardrail
  : Moment extends "after"
    ? OutputGuardrail
    : Guardrail;

// Constructor parameters are services of the application's container: their types can't be known here.
// biome-ignore lint/suspicious/noExplicitAny: a narrower type would refuse classes with injected services
export type GuardrailClass<Instance> = new (...services: any[]) => Instance;

/** What `@guardrail` wrote. */
export interface GuardrailSetting {
  readonly moment: GuardrailMoment;
  readonly guard: object;
}

/** The guardrails of one run, in the order in which they are asked. */
export interface Guardrails {
  readonly before: readonly InputGuardrail[];
  readonly after: readonly OutputGuardrail[];
}
