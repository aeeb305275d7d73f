import type { Message } from "../../models/index.js";
import type { ApplicationContext } from "../../tool/index.js";
import type { Verdict } from "./verdict.js";

/** What a guardrail knows besides the text. */
export interface GuardrailSituation {
  /** The agent's name. */
  readonly agent: string;
  readonly runId: string;
  /** The application's bag: `toolContext`. */
  readonly context: ApplicationContext & Record<string, unknown>;
  /** The history without the text that is checked. A live list: look, don't keep. */
  readonly messages: readonly Message[];
}

/** Looks at what a user says, before it joins the history. */
export interface InputGuardrail {
  /** `input`: the whole text of the prompt; images and files are not part of it. */
  checkInput(input: string, situation: GuardrailSituation): Verdict | Promise<Verdict>;
}

/** Looks at each text of the model before it joins the history, is told to a stream or read as structured output. */
export interface OutputGuardrail {
  checkOutput(output: string, situation: GuardrailSituation): Verdict | Promise<Verdict>;
}

/** A guardrail for both directions. */
export interface Guardrail extends InputGuardrail, OutputGuardrail {}

/** When a guardrail is asked: for what the user says, for what the model says, for both. */
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
