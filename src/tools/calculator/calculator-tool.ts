import { required, returns, Tool, tool } from "../../tool/index.js";
import { calculate } from "./calculate.js";

class Calculated {
  @required(Number)
  result!: number;
}

/**
 * Evaluates arithmetic: numbers, operators and a fixed set of functions, nothing else.
 *
 * ```ts
 * expect(await invokeTool(CalculatorTool, { expression: "2 + 2 * 3" })).toEqual({ result: 8 });
 * ```
 *
 * See docs/07-built-in-tools.md.
 */
@tool({
  identifier: "calculator",
  description:
    "Calculates a math expression. Use it for any arithmetic instead of calculating yourself. " +
    "There are + - * / ^ !, % (remainder, with the divisor's sign), brackets, pi, e, and abs, sign, sqrt, cbrt, exp, ln, log2, log10, " +
    "log(x, base), sin, cos, tan, asin, acos, atan, atan2, sinh, cosh, tanh (radians), floor, ceil, trunc, " +
    "round(x, digits) (half away from zero), min, max, sum, avg. Write every operator; numbers without units and thousands separators.",
  category: "read",
  consequenceLevel: "low",
  effect: "none",
})
@returns(Calculated)
export class CalculatorTool extends Tool {
  /** The expression: `2 + 2`. */
  @required(String, "Math expression like '2 + 2'")
  expression!: string;

  /** Evaluates the expression. */
  call(): Calculated {
    return { result: calculate(this.expression) };
  }
}
