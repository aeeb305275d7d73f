import type { TypeToken } from "../../schema/index.js";
import type { ConfirmationRule, ExclusiveKey, ToolCategory, ToolConsequence, ToolEffect, ToolRequirements } from "../tool-definition.js";
import { classDecorator, type ToolClassDecorator } from "./class-decorator.js";

/** Every class decorator as one object; each member means what the decorator of its name does. */
export interface ToolSettings {
  readonly description?: string;
  readonly identifier?: string;
  readonly timeout?: number;
  readonly returns?: TypeToken;
  readonly category?: ToolCategory;
  readonly consequence?: ToolConsequence;
  readonly requiresConfirmation?: ConfirmationRule;
  readonly effect?: ToolEffect;
  readonly retryable?: boolean;
  readonly exclusive?: ExclusiveKey;
  readonly tags?: readonly string[];
  readonly version?: string;
  readonly dependsOn?: readonly string[];
  readonly requires?: ToolRequirements;
}

/**
 * All class decorators in one.
 *
 * ```ts
 * @tool({ description: "Deletes a file.", category: "delete", consequence: "high", requiresConfirmation: true })
 * class DeleteFileTool extends Tool {}
 * ```
 */
export function tool(settings: ToolSettings): ToolClassDecorator {
  return classDecorator("tool", { ...settings });
}
