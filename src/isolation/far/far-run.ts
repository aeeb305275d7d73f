import { deserialize } from "node:v8";
import { asSettled, type ContextOwner, createCallContext, inspectFirst, normalise } from "../../execution/internal.js";
import type { ToolClass, ToolContext, ToolLog } from "../../tool/index.js";
import type { ReadyInput } from "../../tool/internal.js";
import { errorForm, thrownOf } from "../error-form.js";
import type { FarCall, FarMessage, NearMessage } from "../messages.js";
import { resultForm } from "../result-form.js";
import { type FarTool, knownTool, loadTool, ModuleError } from "./far-tool.js";

interface Question {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** One call of a tool, in the thread or process that runs it. */
export class FarRun implements ContextOwner {
  readonly call: ContextOwner["call"];
  readonly number: number;
  readonly #given: FarCall;
  readonly #send: (message: FarMessage) => void;
  readonly #controller = new AbortController();
  readonly #questions = new Map<number, Question>();
  #asked = 0;

  constructor(given: FarCall, send: (message: FarMessage) => void) {
    this.#given = given;
    this.#send = send;
    this.number = given.attempt;
    // The bag was copied from one that the types allow.
    const toolContext = given.context === undefined ? {} : (deserialize(given.context) as { toolContext?: Record<string, unknown> });
    this.call = { id: given.callId, scope: { runId: given.runId, ...toolContext } };
  }

  get abortSignal(): AbortSignal {
    return this.#controller.signal;
  }

  received(message: NearMessage): void {
    if (message.kind === "abort") {
      this.#controller.abort(thrownOf(message.reason));
      return;
    }
    const question = this.#questions.get(message.to);
    this.#questions.delete(message.to);
    if (message.error === undefined) question?.resolve(message.value);
    else question?.reject(thrownOf(message.error));
  }

  /** Runs the call and sends how it ended. Never throws. Tells whether other calls can run here. */
  async run(): Promise<boolean> {
    try {
      const returned = await this.#run();
      this.#sendResult(returned);
      return true;
    } catch (error) {
      const isBroken = error instanceof ModuleError;
      this.#send({ kind: "failed", error: errorForm(error), isBroken });
      return !isBroken;
    }
  }

  async #run(): Promise<unknown> {
    const tool = knownTool(this.#given) ?? (await this.#load());
    const instance = await tool.construct();
    this.abortSignal.throwIfAborted();
    inspectFirst(tool.plan, instance);
    const ready = await this.#ready(tool);
    this.#send({ kind: "begun" });
    return tool.plan.run(instance, ready, this.#context());
  }

  async #load(): Promise<FarTool> {
    this.#send({ kind: "loading" });
    const tool = await loadTool(this.#given);
    // A message that came meanwhile is read first: the call may be over.
    await new Promise((resolve) => setImmediate(resolve));
    return tool;
  }

  /** Values that aren't JSON, such as dates and nested instances, are made again of what was validated. */
  async #ready({ plan }: FarTool): Promise<ReadyInput> {
    const { input, used, isPlain } = this.#given;
    if (isPlain) return { input, values: input };
    const reading = await plan.readInput(structuredClone(input), { owned: true, repair: false });
    const ready = reading.ok ? asSettled({ plan }, reading.value, { input, used }) : undefined;
    if (ready !== undefined) return ready;
    throw new Error("Its arguments are read in another way there than by the application. Are both of one version?");
  }

  #context(): ToolContext {
    const context = createCallContext(this);
    for (const [name, reason] of Object.entries(this.#given.withheld ?? {})) {
      Object.defineProperty(context, name, {
        get: () => {
          throw new TypeError(
            `The context's ${name} can't be copied to a ${this.#given.place}: ${reason} Make it in the set-up module of @isolated, or put only data into toolContext.`,
          );
        },
      });
    }
    return context;
  }

  #sendResult(returned: unknown): void {
    const result = resultForm(returned, this.#given.maxResultBytes, this.#given.toolName);
    try {
      this.#send({ kind: "done", result });
    } catch {
      // A proxy reads like JSON, and can't be copied.
      this.#send({ kind: "done", result: JSON.parse(JSON.stringify(result)) as typeof result });
    }
  }

  reportProgress(fraction: number, message: string | undefined): void {
    this.#send({ kind: "progress", fraction, message });
  }

  reportLog(level: keyof ToolLog, message: string, details: Record<string, unknown> | undefined): void {
    const shown = details === undefined ? undefined : (normalise(details) as Record<string, unknown>);
    this.#send({ kind: "log", level, message, details: shown });
  }

  async callTool(toolClass: ToolClass, input: Record<string, unknown>): Promise<unknown> {
    const { name } = toolClass.definition;
    return new Promise((resolve, reject) => {
      const id = ++this.#asked;
      this.#send({ kind: "ask", id, tool: name, input });
      this.#questions.set(id, { resolve, reject });
    });
  }
}
