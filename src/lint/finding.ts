import type { ToolClass, ToolDefinition } from "../tool/index.js";
import type { Catalogue } from "./catalogue.js";

/** The rules of `checkTools`. See docs/09-registries.md. */
export type ToolRule =
  | "says-when-to-use"
  | "says-what-it-does"
  | "not-too-long"
  | "not-vague"
  | "not-like-another"
  | "names-known-tools"
  | "declares-parameters"
  | "describes-parameters"
  | "has-portable-names"
  | "has-timeout-in-milliseconds"
  | "fits-into-request";

/**
 * A problem in a tool's description or parameters that makes a model choose or fill the tool wrongly. Plain data, for editors and
 * CI.
 */
export interface ToolFinding {
  /** The tool's name. */
  readonly tool: string;
  /** The rule that the tool breaks. */
  readonly rule: ToolRule;
  /** What is wrong, and why it matters. */
  readonly message: string;
  /** What to write instead. */
  readonly fix: string;
  /** The path of the parameter, such as `address.street` or `items[].price`. */
  readonly parameter?: string;
}

/** What a rule says of one tool: the finding without the names that are the same for all. */
export type Remark = Pick<ToolFinding, "message" | "fix" | "parameter">;

/** Looks at one tool, among those that are offered with it. */
export type Check = (definition: ToolDefinition, catalogue: Catalogue, toolClass: ToolClass) => readonly Remark[];
