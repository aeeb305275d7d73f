import type { ToolContext } from "./tool-context.js";

type ManagedByFramework = "abortSignal" | "runId" | "callId" | "attempt" | "idempotencyKey" | "progress" | "log" | "call";

type Declared = Omit<ToolContext, ManagedByFramework>;

/** What `@requires` asks for, unless the application has types of its own for it. */
type RequirementsMet = {
  readonly [Name in "scopes" | "roles" as Name extends keyof Declared ? never : Name]?: readonly string[];
};

/**
 * The application's own part of `ToolContext`: what it gives to `generate` as `toolContext`, and what the functions
 * of `@model`, `@instructions` and `@usesTools` look at. Type it once by declaration merging (see `ToolContext`).
 */
export type ApplicationContext = Declared & RequirementsMet;

/**
 * The bag that `generate`, an executor's `run` and `invokeTool` get. Once the application has typed its own by declaration
 * merging, only what is in it: a misspelt name would make a guest of the user. Until then, anything.
 */
export type ApplicationBag = keyof Declared extends "userId" | "auth" | "client"
  ? ApplicationContext & Record<string, unknown>
  : ApplicationContext;
