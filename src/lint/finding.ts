import type { ToolClass, ToolDefinition } from "../tool/index.js";
import type { Catalogue } from "./catalogue.js";

/** The rules of the description contract, and what each looks for. */
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

/** One thing that makes a model choose or fill a tool wrongly, as data for an editor or CI. */
export interface ToolFinding {
  /** The tool's name. */
  readonly tool: string;
  readonly rule: ToolRule;
  /** What is wrong, and why that matters. */
  readonly message: string;
  /** What to write. */
  readonly fix: string;
  /** The parameter that it is about, as in `address.street` and `items[].price`. */
  readonly parameter?: string;
}

/** What a rule says of one tool: the finding without the names that are the same for all. */
export type Remark = Pick<ToolFinding, "message" | "fix" | "parameter">;

/** Looks at one tool, among those that are offered with it. */
export type Check = (definition: ToolDefinition, catalogue: Catalogue, toolClass: ToolClass) => readonly Remark[];
