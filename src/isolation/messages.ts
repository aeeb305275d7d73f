import type { ToolIsolation, ToolLog } from "../tool/index.js";
import type { ErrorForm } from "./error-form.js";
import type { ResultForm } from "./result-form.js";

/** What the application's side sends to the thread or process of a call. */
export type NearMessage =
  | { readonly kind: "abort"; readonly reason: ErrorForm }
  | { readonly kind: "answer"; readonly to: number; readonly value?: unknown; readonly error?: ErrorForm };

/** A call whose arguments are valid and permitted. */
export interface FarCall {
  readonly place: ToolIsolation["in"];
  readonly module: string;
  readonly services: string | undefined;
  /** The name by which the module exports the class. */
  readonly className: string;
  /** The tool's name, which a registry may have extended. */
  readonly toolName: string;
  /** The validated arguments as JSON. */
  readonly input: Record<string, unknown>;
  /** As `SettledArguments.used`. */
  readonly used: unknown;
  /** Whether the tool gets the input as it is; otherwise the values are made of it there. */
  readonly isPlain: boolean;
  /** The application's context, by V8's serializer. */
  readonly context: Uint8Array | undefined;
  /** The members of the context that can't be copied, with the reasons. */
  readonly withheld: Readonly<Record<string, string>> | undefined;
  readonly runId: string;
  readonly callId: string;
  readonly attempt: number;
  readonly maxResultBytes: number;
}

/** What the thread or process of a call sends back. */
export type FarMessage =
  /** The module, the set-up or the instance is being made. */
  | { readonly kind: "loading" }
  /** The instance is there, and its `call` runs now. */
  | { readonly kind: "begun" }
  | { readonly kind: "progress"; readonly fraction: number; readonly message: string | undefined }
  | {
      readonly kind: "log";
      readonly level: keyof ToolLog;
      readonly message: string;
      readonly details: Record<string, unknown> | undefined;
    }
  /** A call of another tool. */
  | { readonly kind: "ask"; readonly id: number; readonly tool: string; readonly input: Record<string, unknown> }
  | { readonly kind: "done"; readonly result: ResultForm }
  /** `isBroken`: the thread or process can't load the module any more. */
  | { readonly kind: "failed"; readonly error: ErrorForm; readonly isBroken: boolean };

/** A message to a call of the thread or process. The number tells it from other calls there. */
export interface ToCall {
  readonly id: number;
  readonly message: NearMessage;
}

/** A message of a call. */
export interface FromCall {
  readonly id: number;
  readonly message: FarMessage;
}
