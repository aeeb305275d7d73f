import { CalculatorError } from "./calculator-error.js";
import { applyFunction } from "./functions.js";
import { rounded } from "./numbers.js";
import { type Expression, type Operator, parse } from "./parse-expression.js";

/**
 * The value of an expression: a finite number of 15 digits. Throws a `CalculatorError` for what has none.
 *
 * ```ts
 * calculate("2 + 2 * 3"); // 8
 * calculate("0.1 + 0.2"); // 0.3
 * ```
 */
export const calculate = (expression: string): number => rounded(evaluate(parse(expression)));

/** The parser lets no expression be nested deeper than the stack. */
function evaluate(expression: Expression): number {
  switch (expression.kind) {
    case "number":
      return expression.value;
    case "negation":
      return -evaluate(expression.operand);
    case "factorial":
      return factorial(evaluate(expression.operand));
    case "operation":
      return finite(operate(expression.operator, evaluate(expression.left), evaluate(expression.right)), expression.operator);
    case "call":
      return finite(applyFunction(expression.name, expression.parameters.map(evaluate)), expression.name);
  }
}

function operate(operator: Operator, left: number, right: number): number {
  if (right === 0 && (operator === "/" || operator === "%")) {
    throw new CalculatorError(
      "division_by_zero",
      `${rounded(left)} ${operator} 0 is a division by zero, which has no result. Give a divisor other than 0.`,
    );
  }
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return left / right;
    case "%":
      return remainder(left, right);
    case "^":
      return power(left, right);
  }
}

/** With the sign of the divisor, as in Python and spreadsheets: -7 % 3 is 2. */
function remainder(left: number, right: number): number {
  // 0.3 is no whole multiple of 0.1 to the computer, but it is one to people.
  if (!(Number.isInteger(left) && Number.isInteger(right)) && Number.isInteger(rounded(left / right))) return 0;
  const rest = left % right;
  return rest !== 0 && rest < 0 !== right < 0 ? rest + right : rest;
}

function power(base: number, exponent: number): number {
  if (base === 0 && exponent < 0) {
    throw new CalculatorError("division_by_zero", `0 ^ ${rounded(exponent)} is a division by zero, which has no result.`);
  }
  return base ** exponent;
}

function factorial(value: number): number {
  if (!Number.isInteger(value) || value < 0 || value > 170) {
    throw new CalculatorError("wrong_arguments", `The factorial is for whole numbers from 0 to 170, got ${rounded(value)}.`);
  }
  let product = 1;
  for (let factor = 2; factor <= value; factor++) product *= factor;
  return product;
}

function finite(value: number, what: string): number {
  if (Number.isFinite(value)) return value;
  if (Number.isNaN(value)) throw new CalculatorError("no_real_result", `${what} has no real result for these numbers. Use others.`);
  throw new CalculatorError("not_finite", `The result of ${what} is too large, or infinite: numbers go up to about 1.8e308.`);
}
