import { CalculatorError } from "./calculator-error.js";
import { constants, functions, suggestion } from "./functions.js";
import { readNumber } from "./numbers.js";
import { type Token, tokensOf } from "./tokens.js";

/** The allow-listed syntax: numbers, operators, and calls of known functions. */
export type Expression =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "negation" | "factorial"; readonly operand: Expression }
  | { readonly kind: "operation"; readonly operator: Operator; readonly left: Expression; readonly right: Expression }
  | { readonly kind: "call"; readonly name: string; readonly parameters: readonly Expression[] };

export type Operator = "+" | "-" | "*" | "/" | "%" | "^";

/** How strongly operators bind. A sign binds stronger than times, and weaker than power: -2^2 is -4. */
const binding: Readonly<Record<Operator, number>> = { "+": 1, "-": 1, "*": 2, "/": 2, "%": 2, "^": 4 };
const signBinding = 3;

const noSeparators = "Numbers have no thousands separators: write 1000, not 1,000.";

const mostCharacters = 1_000;
const mostLevels = 100;

/** Reads an expression. Throws a `CalculatorError` for what is none; known names are checked before anything is calculated. */
export function parse(expression: string): Expression {
  if (expression.trim() === "") throw new CalculatorError("empty", "The expression is empty. Give one, such as 2 + 2 * 3.");
  if (expression.length > mostCharacters) {
    throw new CalculatorError(
      "too_long",
      `The expression has ${expression.length} characters, and at most ${mostCharacters} are read. Calculate it in parts.`,
    );
  }
  const thousands = /\d,0\d\d(?!\d)/.exec(expression);
  if (thousands !== null) {
    const unclear = `Unclear "${thousands[0]}" at character ${thousands.index + 1}. ${noSeparators}`;
    throw new CalculatorError("syntax", `${unclear} A comma stands between the values of a function.`);
  }
  return new Parser(tokensOf(expression)).parseAll();
}

class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;
  #level = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parseAll(): Expression {
    const expression = this.#parse(0);
    const { kind, text } = this.#peek();
    if (kind === "end") return expression;
    if (text === ")") throw this.#unexpected('There is no "(" that it closes.');
    if (text === ",") throw this.#unexpected(noSeparators);
    throw this.#unexpected('Write every operator: 2 * x, not "2x" or "2 (x)".');
  }

  /** Reads what binds stronger than `least`. */
  #parse(least: number): Expression {
    if (++this.#level > mostLevels) {
      throw new CalculatorError("too_deep", `The expression is nested more than ${mostLevels} levels deep. Calculate it in parts.`);
    }
    let left = this.#parseOperand();
    for (let operator = this.#operator(); operator !== undefined && binding[operator] > least; operator = this.#operator()) {
      const strength = binding[operator];
      this.#next++;
      if (operator === "%" && "+-".includes(this.#peek().text)) {
        throw this.#unexpected("% is the remainder of a division: write 50 / 100 for 50 per cent, 7 % (-3) for a remainder.");
      }
      // 2^3^2 is 2^(3^2).
      left = { kind: "operation", operator, left, right: this.#parse(operator === "^" ? strength - 1 : strength) };
    }
    this.#level--;
    return left;
  }

  #parseOperand(): Expression {
    const { kind, text } = this.#peek();
    if (text === "-" || text === "+") {
      this.#next++;
      const operand = this.#parse(signBinding);
      return text === "-" ? { kind: "negation", operand } : operand;
    }
    this.#next++;
    if (kind === "number") return this.#withFactorial({ kind: "number", value: readNumber(text) });
    if (text === "(") {
      const inner = this.#parse(0);
      this.#close();
      return this.#withFactorial(inner);
    }
    if (kind === "name") return this.#withFactorial(this.#parseName(text));
    this.#next--;
    throw this.#unexpected(kind === "end" ? "Something is missing there." : "A number, a function or a bracket is due there.");
  }

  #parseName(name: string): Expression {
    if (this.#peek().text !== "(") {
      const value = constants.get(name);
      if (value !== undefined) return { kind: "number", value };
      // `5 inch` isn't about an unknown name, but about the operator that is missing before it.
      if (this.#peek().kind === "name" || this.#peek().kind === "number") throw this.#unexpected("There are no words and no units.");
      if (functions.has(name)) throw this.#unexpected(`Write ${name}(x).`);
      throw new CalculatorError("unknown_name", `Unknown name "${name}". ${suggestion(name, constants)}`);
    }
    this.#next++;
    const parameters: Expression[] = [];
    if (this.#peek().text !== ")") {
      do parameters.push(this.#parse(0));
      while (this.#take(","));
    }
    this.#close();
    return { kind: "call", name, parameters };
  }

  #withFactorial(operand: Expression): Expression {
    if (!this.#take("!")) return operand;
    if (this.#peek().text === "!") throw this.#unexpected("Write (3!)! for the factorial of a factorial.");
    return { kind: "factorial", operand };
  }

  #close(): void {
    if (this.#take(")")) return;
    throw this.#unexpected(this.#peek().kind === "end" ? 'A ")" is missing.' : 'An operator or a ")" is due there.');
  }

  #take(text: string): boolean {
    if (this.#peek().text !== text) return false;
    this.#next++;
    return true;
  }

  #operator(): Operator | undefined {
    const { kind, text } = this.#peek();
    if (kind !== "sign") return undefined;
    const operator = text === "**" ? "^" : text;
    return Object.hasOwn(binding, operator) ? (operator as Operator) : undefined;
  }

  #peek(): Token {
    // The last token is the end, which nothing steps over.
    return this.#tokens[this.#next] as Token;
  }

  #unexpected(advice: string): CalculatorError {
    const { kind, text, position } = this.#peek();
    return new CalculatorError(
      "syntax",
      kind === "end" ? `The expression ends too early. ${advice}` : `Unexpected "${text}" at character ${position}. ${advice}`,
    );
  }
}
