import { Agent, type AgentClass, model, usesTools } from "../../src/agent/index.js";
import type { approve } from "../../src/confirmation/index.js";
import type { PendingItem, RunEvent, Runtime } from "../../src/durable/index.js";
import { ScriptedModel, type ScriptedStep } from "../../src/models/index.js";
import { category, description, effect, identifier, optional, requiresConfirmation, Tool, type ToolContext } from "../../src/tool/index.js";

/** What the tools did, in order. */
export const effects: string[] = [];

@identifier("look")
@description("Looks.")
@category("read")
export class LookTool extends Tool {
  call({ userId }: ToolContext) {
    effects.push(`look for ${userId}`);
    return "A lamp.";
  }
}

@identifier("shop/refund")
@description("Refunds.")
@effect("once")
@requiresConfirmation()
export class RefundTool extends Tool {
  @optional(Number)
  amount?: number;

  call() {
    effects.push(`refund ${this.amount ?? "all"}`);
    return "Refunded.";
  }
}

/** Waits until a test opens it. */
export class Gate {
  open!: () => void;
  readonly opened = new Promise<void>((resolve) => {
    this.open = resolve;
  });
}

/** Lets `pay` end. */
export let gate = new Gate();
/** Opened when `pay` has begun. */
export let isWaiting = new Gate();

/** To be called before each test. */
export function beginAnew(): void {
  effects.splice(0);
  gate = new Gate();
  isWaiting = new Gate();
}

@identifier("pay")
@description("Pays.")
@effect("once")
export class PayTool extends Tool {
  async call() {
    effects.push("pay");
    isWaiting.open();
    await gate.opened;
    return "Paid.";
  }
}

export const calling = (...names: readonly string[]): ScriptedStep => ({ toolCalls: names.map((name) => ({ name })) });

export function shop(...steps: readonly ScriptedStep[]): AgentClass & { readonly scripted: ScriptedModel } {
  const scripted = new ScriptedModel(steps);

  @model(scripted)
  @usesTools([LookTool, RefundTool, PayTool])
  @identifier("shop")
  class ShopAgent extends Agent {
    static readonly scripted = scripted;
  }
  return ShopAgent;
}

export function family(...steps: readonly ScriptedStep[]) {
  const helperSteps = new ScriptedModel(steps.slice(0, -1).length === 0 ? ["Nothing."] : steps.slice(0, -1));

  @model(helperSteps)
  @usesTools([PayTool, RefundTool])
  @identifier("helper")
  @description("Helps. Use to test.")
  class Helper extends Agent {}

  const scripted = new ScriptedModel([steps.at(-1) ?? "Done.", "All done."]);

  @model(scripted)
  @usesTools([Helper])
  @identifier("boss")
  class Boss extends Agent {}
  return { Boss, helperSteps, scripted };
}
export const ask: ScriptedStep = { toolCalls: [{ name: "helper", arguments: { prompt: "Pay" } }] };

export async function allOf(events: AsyncIterable<RunEvent>): Promise<readonly RunEvent[]> {
  const all: RunEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

export async function firstPending(runtime: Runtime): Promise<PendingItem> {
  for (;;) {
    const [item] = await runtime.pending();
    if (item !== undefined) return item;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export const decided = (runtime: Runtime, item: PendingItem | undefined, decide: typeof approve): Promise<unknown> =>
  item === undefined ? Promise.reject(new Error("Nothing waits.")) : runtime.decide(item.runId, item.callId, decide(item.confirmation));
