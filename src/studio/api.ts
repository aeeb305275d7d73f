// What the studio's API sends, for the server and for the page. See docs/31-studio.md. The page can't import the library, so that
// nothing of it is named here.

export interface Finding {
  readonly severity: "error" | "warning";
  readonly tool: string;
  readonly parameter?: string;
  readonly rule: string;
  readonly module: string;
  readonly message: string;
  readonly fix: string;
}

/** A tool in the list. */
export interface ToolLine {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly module: string;
  readonly from?: string;
  readonly tags: readonly string[];
  /** The scopes and roles that `@access` requires. */
  readonly access: readonly string[];
  readonly category: string;
  /** `answered`: the client answers its calls. */
  readonly approval: boolean | "by_arguments" | "answered";
  readonly findings: number;
}

/** An agent in the list. */
export interface AgentLine {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly module: string;
  /** `null`: a function chooses it. */
  readonly model: string | null;
  /** Whether a function chooses its tools: which they are is known for a context only. */
  readonly choosesTools: boolean;
}

/** `GET /api/studio` */
export interface Overview {
  readonly tools: readonly ToolLine[];
  readonly agents: readonly AgentLine[];
  /** Classes whose definition is invalid, and names that two tools have. */
  readonly findings: readonly Finding[];
  readonly context: Readonly<Record<string, unknown>>;
  readonly hasStorage: boolean;
  /** Models that the library can name, and the beginnings of references to others. */
  readonly models: readonly string[];
  /** Files that changed since they were loaded. */
  readonly changedFiles: readonly string[];
  /** Names the process of the server: another one, if the modules were loaded again. */
  readonly process: string;
  /** Whether `POST /api/restart` loads them again. */
  readonly canRestart: boolean;
  /** Why the modules couldn't be loaded again. */
  readonly problem?: string;
}

/** A schema as a provider gets it. */
export interface ProviderForm {
  readonly provider: string;
  /** The tool in the form of the provider's API. */
  readonly tool?: unknown;
  /** Why the provider can't get it. */
  readonly refused?: string;
  /** Keywords that moved into descriptions. */
  readonly moved: readonly string[];
}

/** `GET /api/tools/{id}` */
export interface ToolDetail extends ToolLine {
  readonly className: string;
  readonly parameters: JsonSchemaLike;
  readonly output?: unknown;
  readonly examples: readonly Readonly<Record<string, unknown>>[];
  readonly facts: readonly (readonly [string, string])[];
  readonly providers: readonly ProviderForm[];
  readonly advice: readonly Finding[];
  readonly answerSchema?: JsonSchemaLike;
}

/** The part of JSON Schema that forms are made from. */
export interface JsonSchemaLike {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, JsonSchemaLike | boolean>>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

/** A value that breaks its schema. */
export interface FaultLine {
  readonly path: string;
  readonly message: string;
}

/** `POST /api/tools/{id}/check` */
export interface Checked {
  readonly faults: readonly FaultLine[];
  /** The arguments with defaults, if they are valid. */
  readonly input?: unknown;
}

/** An argument as a person reads it. */
export interface ShownArgumentLine {
  readonly name: string;
  readonly text: string;
}

/** A call that waits for a person. */
export interface WaitingCall {
  readonly id: string;
  readonly runId: string;
  readonly callId: string;
  readonly agent: string;
  readonly tool: string;
  readonly kind: "confirmation" | "question";
  readonly description: string;
  readonly warnings: readonly ShownArgumentLine[];
  readonly arguments: readonly ShownArgumentLine[];
  readonly input: Readonly<Record<string, unknown>>;
  readonly hidden: readonly string[];
  readonly category: string;
  readonly consequenceLevel: string;
  readonly expiresAt: string;
  readonly answerSchema?: JsonSchemaLike;
}

export interface AttemptLine {
  readonly attempt: number;
  readonly startedAt: string;
  readonly duration: number;
  readonly input: unknown;
  readonly error?: string;
  readonly errorType?: string;
  readonly stack?: string;
  readonly repairs: readonly { readonly path: string; readonly from: unknown; readonly to: unknown }[];
}

export interface Picture {
  readonly type: string;
  readonly mediaType: string;
  readonly filename?: string;
  readonly data: string;
}

/** An event of `POST /api/tools/{id}/calls` and `POST /api/calls/{id}/decision`. */
export type CallEvent =
  | { readonly type: "started"; readonly attempt: number }
  | { readonly type: "progress"; readonly fraction: number; readonly message?: string }
  | { readonly type: "log"; readonly level: string; readonly message: string; readonly details?: unknown }
  | { readonly type: "waiting"; readonly call: WaitingCall }
  | {
      readonly type: "result";
      readonly ok: boolean;
      readonly data?: unknown;
      readonly error?: string;
      readonly errorType?: string;
      /** What the context lacks, if `@access` keeps the tool back. */
      readonly lack?: string;
      /** The result as a model reads it. */
      readonly text: string;
      readonly attachments: readonly Picture[];
      readonly attempts: readonly AttemptLine[];
    }
  | { readonly type: "failed"; readonly message: string };

/** `POST /api/agents/{id}/tools` */
export interface AgentTools {
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly deferred: boolean;
    readonly permitted: boolean;
    /** What the context lacks, if `@access` keeps the tool back. */
    readonly lack?: string;
  }[];
  readonly instructions: string;
  readonly error?: string;
}

/** An event of a chat: `at` is in milliseconds since its request came. `event` is as docs/03-agents.md has it, or one of the studio's own. */
export interface ChatEvent {
  readonly at: number;
  readonly event: { readonly type: string; readonly [member: string]: unknown };
}

/** A decision that was taken. Times are in milliseconds since 1970, by the clocks of the processes that asked and decided. */
export interface DecidedLine {
  readonly callId: string;
  readonly tool: string;
  readonly decision: "approve" | "deny" | "approve_edited" | "answer";
  readonly decidedBy?: string;
  readonly reason?: string;
  /** The arguments of an edited approval. */
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly askedAt: number;
  readonly decidedAt?: number;
}

/** `GET /api/inbox` */
export interface Inbox {
  /** The calls that wait, of all runs. */
  readonly waiting: readonly WaitingCall[];
  /** What was decided of the last changed runs, the latest first. */
  readonly decided: readonly (DecidedLine & { readonly runId: string })[];
}

/** An event of `GET /api/runs/{id}/events`. Times are as those of `DecidedLine`, and absent in records of earlier versions. */
export interface StoredEvent {
  readonly id?: string;
  readonly attempt?: number;
  readonly at?: number;
  /** When the work began that ends with it. */
  readonly startedAt?: number;
  readonly event: { readonly type: string; readonly [member: string]: unknown };
}

export interface RunLine {
  readonly runId: string;
  readonly agent: string;
  readonly status: string;
  readonly updatedAt: string;
}

/** `GET /api/runs/{id}` */
export interface RunDetail {
  readonly runId: string;
  readonly agent: string;
  readonly status: string;
  readonly outcome?: { readonly reason: string; readonly detail?: string };
  readonly context: Readonly<Record<string, unknown>>;
  readonly conversation?: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly waiting: readonly WaitingCall[];
  /** What was decided, in its order. */
  readonly decided: readonly DecidedLine[];
  /** Whether it has work left and no process carries it on. */
  readonly isLeft: boolean;
}

/** `GET /api/runs/{id}/steps` */
export interface RunSteps {
  readonly runId: string;
  /** The agent's name. */
  readonly agent: string;
  /** The context of a run of a storage. */
  readonly context?: Readonly<Record<string, unknown>>;
  readonly steps: readonly StepLine[];
}

/** A model call in the record of a run. */
export interface StepLine {
  readonly step: number;
  readonly text: string;
  readonly calls: readonly RecordedCallLine[];
}

export interface RecordedCallLine {
  readonly callId: string;
  readonly tool: string;
  /** As the model wrote them. */
  readonly arguments: string;
  /** `begun`: it isn't known whether it took effect. `not_run`: it waits, or was left out. */
  readonly state: "answered" | "begun" | "not_run";
  readonly result?: { readonly content: string; readonly data?: unknown; readonly errorType?: string; readonly fromRecord?: boolean };
  /** The steps of the sub-agent that it ran. */
  readonly inside?: readonly StepLine[];
}
