import type { ToolClass, ToolListener } from "../../src/tool/index.js";

/** A call as a model makes it. A text is what it wrote as arguments, where that isn't JSON. */
export interface DoorCall {
  readonly tool: ToolClass;
  readonly arguments: Record<string, unknown> | string;
}

/** What an application gives a door, whatever the door calls it. */
export interface DoorOptions {
  readonly toolContext?: Record<string, unknown>;
  /** What the constructor of the tool is given. */
  readonly services?: readonly (new () => object)[];
  readonly listeners?: readonly ToolListener[];
  readonly abortSignal?: AbortSignal;
  /** What a person answers when they are asked, and only then. Left out: no person is there. */
  readonly answer?: () => "yes" | "no";
}

/** One way by which calls reach tools: each in the real framework, with a model that makes the calls it is told to. */
export interface Door {
  readonly name: string;
  /** How many tools a model is told of; left out where no model is. */
  readonly told?: (tools: readonly ToolClass[], options?: DoorOptions) => Promise<number>;
  /** What the model reads of its calls, one a step, in one run. */
  readonly run: (tools: readonly ToolClass[], calls: readonly DoorCall[], options?: DoorOptions) => Promise<readonly string[]>;
}
