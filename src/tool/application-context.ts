import type { ToolContext } from "./tool-context.js";

type ManagedByFramework = "abortSignal" | "runId" | "callId" | "attempt" | "idempotencyKey" | "progress" | "log" | "call";

type Declared = Omit<ToolContext, ManagedByFramework>;

/** What `@access` looks for, unless the application declares types of its own. */
type HeldAccess = {
  readonly [Name in "scopes" | "roles" as Name extends keyof Declared ? never : Name]?: readonly string[];
};

/**
 * The application's part of `ToolContext`: what you pass to `generate` as `toolContext`, and what the functions of `@model`,
 * `@instructions` and `@usesTools` receive. Declare its members once, see `ToolContext`.
 */
export type ApplicationContext = Declared & HeldAccess;

/**
 * The type of the option `toolContext`. If you declared members of `ToolContext`, only these are allowed, so that a misspelt name
 * is a compile error; until then, any object.
 */
export type AcceptedContext = keyof Declared extends "userId" | "auth" | "client"
  ? ApplicationContext & Record<string, unknown>
  : ApplicationContext;
