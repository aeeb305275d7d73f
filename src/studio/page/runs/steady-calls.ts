import type { WaitingCall } from "../../api.js";

/** A call in a list that is read again and again. */
export interface SteadyCall {
  readonly call: WaitingCall;
  /** Whether it waits no longer. */
  readonly isGone: boolean;
}

/** The calls as they were shown, and as they wait now. Those that are gone stay in their places and new ones come last: no button moves below a pointer. */
export function steadyCalls(shown: readonly SteadyCall[], waiting: readonly WaitingCall[]): readonly SteadyCall[] {
  const now = new Map(waiting.map((call) => [call.id, call]));
  const known = new Set(shown.map(({ call }) => call.id));
  return [
    ...shown.map(({ call }) => ({ call: now.get(call.id) ?? call, isGone: !now.has(call.id) })),
    ...waiting.filter(({ id }) => !known.has(id)).map((call) => ({ call, isGone: false })),
  ];
}
