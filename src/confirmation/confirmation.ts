import type { ToolCategory, ToolConsequence } from "../tool/index.js";

/** A tool call that waits for a person: all that the person must see to decide, and what the decision is bound to. */
export interface Confirmation {
  /** The fingerprint of run, call, tool definition and validated arguments: a decision holds for exactly these. */
  readonly id: string;
  readonly runId: string;
  readonly callId: string;
  /** The agent's name. */
  readonly agent: string;
  /** The tool's own name. */
  readonly tool: string;
  /** What the tool's definition says of it. */
  readonly description: string;
  readonly category: ToolCategory;
  readonly consequence: ToolConsequence;
  /**
   * The validated arguments with defaults applied, as they will be used. `[redacted]` stands only for values that `addSecret`
   * registered, and for texts whose secret name (`password`) the tool's schema declares.
   */
  readonly input: Readonly<Record<string, unknown>>;
  /** The values that a transform of the tool's schema makes of the input, by parameter: these are used. Left out if there are none. */
  readonly used?: Readonly<Record<string, unknown>>;
  /** The paths of the values of which something is hidden (`items[0].password`): any other `[redacted]` was sent by the model. */
  readonly hidden?: readonly string[];
  /** ISO 8601 times: asked at, and no longer to be approved after. */
  readonly requestedAt: string;
  readonly expiresAt: string;
}
