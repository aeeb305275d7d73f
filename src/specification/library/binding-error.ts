import { printableLines } from "../../redaction/internal.js";

/** Why a library has no implementation of a specification. */
export interface BindingProblem {
  /** The tool's name. */
  readonly tool: string;
  /** `not_found`: there is no tool of this name. Otherwise, what differs. */
  readonly reason: "not_found" | "description" | "schema";
  /** What differs and where, for people. */
  readonly message: string;
}

/** Tools of an agent or experiment that have no matching implementation. Nothing was bound. See docs/errors.md. */
export class BindingError extends Error {
  override readonly name = "BindingError";
  /** One problem for each tool. */
  readonly problems: readonly BindingProblem[];

  constructor(owner: string, problems: readonly BindingProblem[]) {
    super(printableLines(`${owner} can't be bound: ${problems.map(({ message }) => message).join(" ")}`));
    this.problems = problems;
  }
}
