import type { ToolCategory, ConsequenceLevel } from "../tool/index.js";

/**
 * A tool call that waits for a person's decision: what the person must see, and what the decision is bound to. See
 * docs/04-confirmation.md.
 */
export interface Confirmation {
  /** A fingerprint of run, call, tool definition and validated arguments. A decision is valid for exactly these. */
  readonly id: string;
  /** The id of the run. */
  readonly runId: string;
  /** The id of the call, as the model sent it. */
  readonly callId: string;
  /** The agent's name. */
  readonly agent: string;
  /** The tool's own name. */
  readonly tool: string;
  /** The description of the tool. */
  readonly description: string;
  /** The category of the tool. */
  readonly category: ToolCategory;
  /** The real-world impact of the tool. */
  readonly consequenceLevel: ConsequenceLevel;
  /**
   * The validated arguments with defaults applied, as the tool will receive them. `[redacted]` replaces only values that
   * `addSecret` registered, and strings whose parameter has a secret name, such as `password`.
   */
  readonly input: Readonly<Record<string, unknown>>;
  /**
   * The values that a transform of the tool's schema makes from the input, by parameter. The tool receives these. Absent if there
   * are none.
   */
  readonly used?: Readonly<Record<string, unknown>>;
  /** The paths of values that are partly hidden, such as `items[0].password`. Any other `[redacted]` was sent by the model. */
  readonly hidden?: readonly string[];
  /**
   * True if the call was approved before and had begun when the process that ran it ended: it isn't known whether it took effect. An
   * approval lets it run once more; a denial ends it.
   */
  readonly outcomeUnknown?: boolean;
  /** When the person was asked, ISO 8601. */
  readonly requestedAt: string;
  /** After this time the call can't be approved, ISO 8601. */
  readonly expiresAt: string;
}
