import { loggedError, warnProcess } from "../../redaction/internal.js";
import type { ToolCallEvent, ToolListener } from "../../tool/index.js";
import type { CallOrigin } from "../preparation/prepared-call.js";
import type { RunScope } from "../run-scope.js";

/** Sends an event to every listener. One that fails becomes a process warning and disturbs nothing. */
export function notify<Name extends keyof ToolListener>(
  listeners: readonly ToolListener[],
  name: Name,
  event: Parameters<NonNullable<ToolListener[Name]>>[0],
): void {
  const warn = (error: unknown): void => warnOfListener(name, error);
  for (const listener of listeners) {
    // The compiler can't see that the listener of `name` takes the event of `name`.
    shield(() => (listener[name] as ((event: unknown) => unknown) | undefined)?.(event), warn);
  }
}

export function warnOfListener(name: string, error: unknown): void {
  warnProcess(`A tool listener's ${name} failed: ${loggedError(error)}`, "ToolListenerWarning");
}

/** Runs a listener of the application. If it throws or rejects, the run goes on and `warn` gets the error. */
export function shield(listen: () => unknown, warn: (error: unknown) => void = warnOfRunListener): void {
  try {
    const result = listen();
    if (result instanceof Promise) result.catch(warn);
  } catch (error) {
    warn(error);
  }
}

function warnOfRunListener(error: unknown): void {
  warnProcess(`A listener threw, which changes nothing for the run: ${loggedError(error)}`);
}

/** The members that every event has. `name` is the tool's. */
export function callEvent({ id, name, scope, origin }: EventSubject): ToolCallEvent {
  const { runId, agent, tags } = scope;
  // Written member by member: on Node 20, spreading into a literal that has more costs microseconds.
  const event: { -readonly [Name in keyof ToolCallEvent]: ToolCallEvent[Name] } = { runId, callId: id, tool: name };
  if (agent !== undefined) event.agent = agent;
  if (tags !== undefined) event.tags = tags;
  if (origin.parent !== undefined) event.parentCallId = origin.parent.call.id;
  return event;
}

interface EventSubject {
  readonly id: string;
  readonly name: string;
  readonly scope: RunScope;
  readonly origin: CallOrigin;
}
