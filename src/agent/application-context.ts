import type { ToolContext } from "../tool/index.js";

type ManagedByFramework = "abortSignal" | "runId" | "callId" | "attempt" | "idempotencyKey" | "progress" | "log" | "call";

/**
 * The application's own part of `ToolContext`: what it gives to `generate` as `toolContext`, and what the functions
 * of `@model`, `@instructions` and `@usesTools` look at. Type it once by declaration merging (see `ToolContext`).
 */
export type ApplicationContext = Omit<ToolContext, ManagedByFramework>;
