import type {
  ConfirmationRule,
  ConsequenceLevel,
  ExclusiveKey,
  LimitOptions,
  ToolAccess,
  ToolCategory,
  ToolEffect,
} from "../tool-definition.js";
import type { ToolClass } from "../tool-class.js";
import { isOptions } from "../option-names.js";
import { isToolClass } from "../tool.js";
import { ToolDefinitionError } from "../tool-errors.js";
import { classDecorator, type ToolClassDecorator } from "./class-decorator.js";
import type { RuleDecorator } from "./compile-time/rule-problem.js";

/**
 * Sets what a call does: `@category("read")`, `"write"`, `"delete"` or `"side_effect"` (the default).
 *
 * It decides which calls may be repeated after a failure, and which tools a profile allows. See docs/02-tools.md.
 */
export function category(category: ToolCategory): ToolClassDecorator<"category"> {
  return classDecorator("category", { category });
}

/**
 * Sets the real-world impact of a call: `@consequenceLevel("low")`, `"medium"` (the default) or `"high"`.
 *
 * People see it when they approve a call, and `autoApprove` compares it. See docs/02-tools.md.
 */
export function consequenceLevel(level: ConsequenceLevel): ToolClassDecorator<"consequenceLevel"> {
  return classDecorator("consequenceLevel", { consequenceLevel: level });
}

/**
 * Sets what a repeated call with the same arguments does: nothing (`@effect("none")`), nothing more (`"idempotent"`), or the same
 * again (`"once"`).
 *
 * It decides whether a call may be repeated after a failure, a timeout or a crash. See docs/02-tools.md.
 */
export function effect(effect: ToolEffect): ToolClassDecorator<"effect"> {
  return classDecorator("effect", { effect });
}

/**
 * Sets whether a failed call may be tried again with the same arguments: `@retryable(false)`.
 *
 * Default: derived from `@effect`; without it, false for a declared category other than read, else true. A write or delete that
 * timed out or was cancelled may have taken effect: it is repeated only with `@effect("none")` or `@effect("idempotent")`. See
 * docs/02-tools.md.
 */
export function retryable(retryable: boolean): ToolClassDecorator<"retryable"> {
  return classDecorator("retryable", { retryable });
}

/**
 * Limits the time of one call, in milliseconds: `@timeout(5_000)`. Default: 10,000. `Infinity` or 0 means no limit.
 *
 * After that the call fails with `timeout_error`, and the context's `abortSignal` is aborted. See docs/02-tools.md.
 */
export function timeout(milliseconds: number): ToolClassDecorator<"timeout"> {
  return classDecorator("timeout", { timeout: milliseconds });
}

/** Sets tags to filter tools by: `@tags("portfolio", "risk")`. See docs/02-tools.md. */
export function tags(...tags: readonly string[]): ToolClassDecorator<"tags"> {
  return classDecorator("tags", { tags });
}

/** Sets the tool's own version: `@version("1.2.0")`. An approval of one version isn't valid for another. See docs/02-tools.md. */
export function version(version: string): ToolClassDecorator<"version"> {
  return classDecorator("version", { version });
}

/**
 * Lists the tools that this one calls with `context.call`, by class or name: `@dependsOn(GetPriceTool, "get_stock")`. See
 * docs/02-tools.md.
 */
export function dependsOn(...tools: readonly (string | ToolClass)[]): ToolClassDecorator<"dependsOn"> {
  return classDecorator("dependsOn", { dependsOn: tools });
}

/**
 * Requires scopes and roles in the caller's context: `@access({ scopes: ["payments:write"], roles: ["admin"] })`.
 *
 * Without them, the tool isn't sent to the model and can't be called. See docs/02-tools.md.
 */
export function access(requirements: ToolAccess): ToolClassDecorator<"access"> {
  return classDecorator("access", { access: requirements });
}

/**
 * Runs calls with the same key one after another. Without an argument, all calls of the tool share a key.
 *
 * - `@exclusive()`
 * - ``@exclusive(({ account }: TransferTool) => `account:${account}`)``
 *
 * The function receives the validated arguments as JSON, and the context. The key applies within one process: for several processes
 * use a shared lock, such as one of your database. See docs/02-tools.md.
 */
export function exclusive<Input extends object = Record<string, unknown>>(
  key: ExclusiveKey<Input> = true,
): RuleDecorator<"exclusive", Input> {
  return classDecorator("exclusive", { exclusive: key });
}

/**
 * Limits how many calls run at once. The others wait in the order in which they came, or fail with `limit_exceeded`.
 *
 * - `@concurrency(3)`
 * - `@concurrency(3, { key: (_input, { userId }) => String(userId), whenExceeded: "reject" })`
 *
 * With a `key`, each key has its own three. The function receives the validated arguments as JSON, and the context. The limit applies
 * to the tool within one process, or in all workers of a `DbosRuntime`. See docs/27-limits.md.
 */
export function concurrency<Input extends object = Record<string, unknown>>(
  calls: number,
  options?: LimitOptions<Input>,
): RuleDecorator<"concurrency", Input> {
  return classDecorator("concurrency", { concurrency: limit("@concurrency(3", calls, { calls }, options) });
}

/**
 * Limits how many calls begin in any period of so many milliseconds. The others wait in the order in which they came, or fail with
 * `limit_exceeded`.
 *
 * - `@rateLimit(100, 60_000)`
 * - `@rateLimit(100, 60_000, { key: (_input, { userId }) => String(userId), whenExceeded: "reject" })`
 *
 * With a `key`, each key has its own hundred. The function receives the validated arguments as JSON, and the context. The limit applies
 * to the tool within one process, or in all workers of a `DbosRuntime`. See docs/27-limits.md.
 */
export function rateLimit<Input extends object = Record<string, unknown>>(
  calls: number,
  period: number,
  options?: LimitOptions<Input>,
): RuleDecorator<"rateLimit", Input> {
  return classDecorator("rateLimit", { rateLimit: limit("@rateLimit(100, 60_000", calls, { calls, period }, options) });
}

/** The setting of a limit. A decorator without parentheses gets the class, which is left for `classDecorator` to reject. */
function limit(written: string, calls: unknown, counts: object, options: object | undefined): unknown {
  if (isToolClass(calls)) return calls;
  if (options === undefined) return counts;
  if (isOptions(options)) return { ...options, ...counts };
  throw new ToolDefinitionError(
    `${written}, ...): the options are an object, got ${typeof options}. Write ${written}, { key: ({ account }) => account }).`,
  );
}

/**
 * Requires that a person approves each call before it runs, or each call for which the function doesn't return `false`.
 *
 * - `@requiresConfirmation()`
 * - `@requiresConfirmation(({ amount }: PayTool) => amount > 100)`
 *
 * The function receives the validated arguments as JSON, and the context; annotate its parameter, and the compiler checks what it
 * reads (`ArgumentsOf<PayTool>` if the class has dates). If it throws, the call doesn't run. See docs/04-confirmation.md.
 */
export function requiresConfirmation<Input extends object = Record<string, unknown>>(
  rule: ConfirmationRule<Input> = true,
): RuleDecorator<"requiresConfirmation", Input> {
  return classDecorator("requiresConfirmation", { requiresConfirmation: rule });
}
