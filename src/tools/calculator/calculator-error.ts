export type CalculatorErrorCode =
  | "empty"
  | "too_long"
  | "too_deep"
  | "syntax"
  | "unknown_name"
  | "unknown_function"
  | "wrong_arguments"
  | "precision"
  | "division_by_zero"
  | "no_real_result"
  | "not_finite";

/** Why an expression has no value, in words that say what to write instead. */
export class CalculatorError extends Error {
  override readonly name = "CalculatorError";
  readonly code: CalculatorErrorCode;

  constructor(code: CalculatorErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
