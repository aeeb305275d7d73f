import { type ToolDefinition, ToolDefinitionError } from "../tool/index.js";
import { insteadOfName } from "../tool/internal.js";
import { isPromiseLike } from "./tool-attempt.js";

type Input = Record<string, unknown>;

/**
 * Asks a rule of a tool about the arguments. A name that no parameter has would read as `undefined`, by which a misspelt
 * confirmation rule answers "no" for ever: until the rule has answered, reading one throws.
 */
export function askRule<Answer>(definition: ToolDefinition, input: Input, rule: (input: Input) => Answer): Answer {
  const { properties, additionalProperties, patternProperties } = definition.parametersSchema;
  if (properties === undefined || additionalProperties !== false || patternProperties !== undefined) return rule(input);
  let guard = guards.get(definition);
  if (guard === undefined) guards.set(definition, (guard = new RuleGuard(definition.name, Object.keys(properties))));
  return guard.ask(input, rule);
}

/** One for each definition, because to make a proxy takes longer than most rules. */
const guards = new WeakMap<ToolDefinition, RuleGuard>();

/** What the language asks any object for. */
const askedByLanguage: ReadonlySet<string> = new Set(["toJSON", "then"]);

class RuleGuard {
  /** The arguments inherit from it; what they have themselves never gets here. */
  readonly #prototype: object;
  /** How many rules haven't answered: whoever keeps the arguments, or logs them, may read anything later. */
  #asking = 0;

  constructor(tool: string, names: readonly string[]) {
    this.#prototype = new Proxy(Object.prototype, {
      get: (prototype, name, receiver) => {
        const isFine = typeof name === "symbol" || name in prototype || names.includes(name) || askedByLanguage.has(name);
        if (isFine || this.#asking === 0) return Reflect.get(prototype, name, receiver);
        const known = names.length === 0 ? "There are none." : insteadOfName(name, names);
        throw new ToolDefinitionError(`${tool}: its rule reads "${name}", which is no parameter. ${known}`);
      },
    });
  }

  ask<Answer>(input: Input, rule: (input: Input) => Answer): Answer {
    this.#asking += 1;
    let answer: Answer | undefined;
    try {
      // The copy first: to set members of what inherits from a proxy takes ten times as long.
      answer = rule(Object.setPrototypeOf({ ...input }, this.#prototype) as Input);
      return answer;
    } finally {
      if (isPromiseLike(answer)) answer.then(this.#answered, this.#answered);
      else this.#answered();
    }
  }

  readonly #answered = (): void => {
    this.#asking -= 1;
  };
}
