import { printableLines } from "../../redaction/internal.js";

/** Why a specification has no implementation in a library. */
export interface BindingProblem {
  /** The tool's name. */
  readonly tool: string;
  /** `not_found`: no tool of that name; else what differs. */
  readonly reason: "not_found" | "description" | "schema";
  /** For people: what differs, and where. */
  readonly message: string;
}

/** Tools that an agent, or an experiment, can't be bound to. Nothing was bound. */
export class BindingError extends Error {
  override readonly name = "BindingError";
  readonly problems: readonly BindingProblem[];

  constructor(owner: string, problems: readonly BindingProblem[]) {
    super(printableLines(`${owner} can't be bound: ${problems.map(({ message }) => message).join(" ")}`));
    this.problems = problems;
  }
}
