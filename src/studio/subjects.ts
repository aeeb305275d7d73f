import type { Agent, AgentClass } from "../agent/index.js";
import type { Runtime } from "../durable/index.js";
import type { Storage } from "../storage/index.js";
import type { ToolClass } from "../tool/index.js";
import type { Finding } from "./api.js";

/** A tool that the studio shows. */
export interface StudioTool {
  readonly tool: ToolClass;
  /** The module that exports it. */
  readonly module: string;
  /** The toolbox, registry or agent that it came with; absent if the module exports the class. */
  readonly from?: string;
}

/** An agent that the studio shows. */
export interface StudioAgent {
  readonly agent: AgentClass;
  readonly module: string;
  /** Whether a function chooses its tools. */
  readonly choosesTools: boolean;
  /** Makes the agent of a new chat. */
  readonly make: () => Promise<Agent>;
}

/** What a studio shows. */
export interface StudioSubjects {
  readonly tools: readonly StudioTool[];
  readonly agents: readonly StudioAgent[];
  /** What `toolwright check` finds. */
  readonly findings: readonly Finding[];
  /** The context that calls begin with. */
  readonly context: Readonly<Record<string, unknown>>;
  /** The runs to show. */
  readonly storage?: Storage;
  /** The runtime of the runs, if it is one of this process: its events come as they happen. */
  readonly runtime?: Runtime;
  /** Why the modules couldn't be loaded again: there is nothing else to show then. */
  readonly problem?: string;
  /** Who decides in the page: the decisions about runs have it as `decidedBy`. */
  readonly decidedBy?: string;
  /** Names the files that have changed since they were loaded. */
  readonly changedFiles: () => readonly string[];
}
