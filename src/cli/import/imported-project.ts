import type { Files } from "../files/write-files.js";

/** What an import writes. */
export interface ImportedProject {
  /** The name of the toolbox. */
  readonly name: string;
  readonly files: Files;
  readonly tools: readonly string[];
  /** Environment variables that the written code reads. */
  readonly variables: readonly string[];
  /** What couldn't be written, and why. */
  readonly leftOut: readonly { readonly name: string; readonly reason: string }[];
}
