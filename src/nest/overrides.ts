import type { ToolBody } from "../execution/internal.js";
import { type ToolClass, ToolDefinitionError } from "../tool/index.js";

/**
 * The fake that a test put in a tool's place by `overrideProvider(WeatherTool).useValue(stubTool(WeatherTool, ...))`;
 * `undefined` if it is the tool still. Throws `ToolDefinitionError` for anything else.
 */
export function overridingBody(tool: ToolClass, provided: unknown): ToolBody | undefined {
  if (provided === tool) return undefined;
  const stub = provided as { readonly tool?: unknown; readonly body?: unknown } | null | undefined;
  if (stub?.tool === tool && typeof stub.body === "function") return stub.body as ToolBody;
  throw new ToolDefinitionError(
    `${tool.name}: it was overridden by something that is no stub of it. ` +
      `Write overrideProvider(${tool.name}).useValue(stubTool(${tool.name}, () => "..."));`,
  );
}
