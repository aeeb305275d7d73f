import { randomUuid } from "../platform/index.js";
import { type AcceptedContext, checkOptionNames, type OptionNames } from "../tool/internal.js";
import { isObject } from "../schema/internal.js";
import type { ToolListener } from "../tool/index.js";
import { AttemptLedger } from "./attempt-ledger.js";
import { checkProfile, type ExecutionProfile } from "./execution-profile.js";

/** What all tool calls of one run share. Make it with `createRunScope`. */
export interface RunScope {
  /** The id of the run. */
  readonly runId: string;
  /** The agent's name, for records. */
  readonly agent?: string;
  /** The application's context: each of its members becomes a member of the `ToolContext`. */
  readonly toolContext?: AcceptedContext;
  /** Cancels the run. Pending calls end at once; the tools' own `abortSignal` has the same reason. */
  readonly abortSignal?: AbortSignal;
  /** Restricts which tools the run may call. Calls that tools make inherit it. */
  readonly profile?: ExecutionProfile;
  /** Labels of the run, for records: `{ tenant: "acme" }`. */
  readonly tags?: Readonly<Record<string, string>>;
  /** The failed attempts of the run. */
  readonly ledger: AttemptLedger;
}

const scopeNames: OptionNames<RunScope> = {
  runId: true,
  agent: true,
  toolContext: true,
  abortSignal: true,
  profile: true,
  tags: true,
  ledger: true,
};

/**
 * Makes the scope of one run, for `ToolExecutor`: `createRunScope({ toolContext: { userId: "42" } })`.
 *
 * Members that are left out get defaults; `runId` is a new UUID. Throws `TypeError` for unknown members and invalid values. See
 * docs/02-tools.md.
 */
export function createRunScope(options: Partial<RunScope> = {}): RunScope {
  checkOptionNames(options, scopeNames, "The scope of a run");
  checkRun(options);
  return startScope({ ...options });
}

/** Completes the members of a scope that were checked, all but the profile. */
export function startScope(scope: { -readonly [Name in keyof RunScope]?: RunScope[Name] }): RunScope {
  if (scope.profile !== undefined) checkProfile(scope.profile);
  scope.runId ??= randomUuid();
  scope.ledger ??= new AttemptLedger();
  return scope as RunScope;
}

/** Throws `TypeError` for values from JavaScript that the types exclude: they would fail far from here, or have no effect. */
export function checkRun({ toolContext, abortSignal }: Pick<Partial<RunScope>, "toolContext" | "abortSignal">): void {
  if (toolContext !== undefined && !isBag(toolContext)) {
    throw new TypeError(
      "The option toolContext must be an object, whose members tools find in their context: { toolContext: { userId } }.",
    );
  }
  // Signals of other realms and of polyfills are signals too.
  if (abortSignal !== undefined && typeof (abortSignal as AbortSignal | null)?.aborted !== "boolean") {
    throw new TypeError(
      "The option abortSignal is no AbortSignal. Of an AbortController give its signal: { abortSignal: controller.signal }.",
    );
  }
}

/** Throws `TypeError` for a value that is no list of listeners. */
export function checkListeners(listeners: readonly ToolListener[] | undefined): void {
  if (listeners === undefined || (Array.isArray(listeners) && listeners.every(isObject))) return;
  throw new TypeError("The option listeners must be a list of objects with methods such as toolFinished: { listeners: [listener] }.");
}

/** An error, or the answer of a request that failed, would be a bag without a user. */
const isBag = (value: unknown): boolean =>
  isObject(value) && !Array.isArray(value) && !(value instanceof Error) && !(value instanceof Promise);
