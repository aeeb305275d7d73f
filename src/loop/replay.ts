import type { Message } from "../models/index.js";
import { advance } from "./advance.js";
import type { LoopEffect, LoopEvent } from "./loop-event.js";
import type { LoopState, LoopStep } from "./loop-state.js";

/** What follows from events that have happened. */
export interface Replayed {
  readonly state: LoopState;
  /** The messages that join the history. */
  readonly messages: readonly Message[];
  /** The steps that the events closed. */
  readonly steps: readonly LoopStep[];
}

/** Passes events that have happened to the loop, and does nothing that it asks for. */
export function replay(from: LoopState, events: readonly LoopEvent[]): Replayed {
  const messages: Message[] = [];
  const steps: LoopStep[] = [];
  let state = from;
  for (const event of events) {
    const advanced = advance(state, event);
    state = advanced.state;
    messages.push(...messagesIn(advanced.effects));
    for (const effect of advanced.effects) if (effect.type === "record_step") steps.push(effect.step);
  }
  return { state, messages, steps };
}

/** The messages that join the history, in their order. */
export function messagesIn(effects: readonly LoopEffect[]): readonly Message[] {
  let messages = noMessages;
  for (const effect of effects) {
    if (effect.type === "append") messages = messages.length === 0 ? effect.messages : [...messages, ...effect.messages];
  }
  return messages;
}

const noMessages: readonly Message[] = [];
