import { type ToolDefinition, ToolDefinitionError } from "../tool/index.js";
import { insteadOfName } from "../tool/internal.js";
import { isPromiseLike } from "./tool-attempt.js";

type Input = Record<string, unknown>;

/** What the language asks any object for. */
const askedByLanguage: ReadonlySet<string> = new Set(["toJSON", "then"]);

/** One for each definition: the rule's arguments inherit from it, and what they have themselves never gets here. */
const guards = new WeakMap<ToolDefinition, object>();

/**
 * Asks a rule of a tool about the arguments. A name that no parameter has would read as `undefined`, by which a misspelt
 * confirmation rule answers "no" for ever: until the rule has answered, reading one throws.
 */
export function askRule<Answer>(definition: ToolDefinition, input: Input, rule: (input: Input) => Answer): Answer {
  const { properties, additionalProperties, patternProperties } = definition.parametersSchema;
  if (properties === undefined || additionalProperties !== false || patternProperties !== undefined) return rule(input);
  const asked = Object.assign(Object.create(guardOf(definition, Object.keys(properties))) as Input, input);
  let answer: Answer | undefined;
  try {
    answer = rule(asked);
    return answer;
  } finally {
    // Whoever keeps the arguments, or logs them, has a plain object.
    const release = (): unknown => Object.setPrototypeOf(asked, Object.prototype);
    if (isPromiseLike(answer)) answer.then(release, release);
    else release();
  }
}

function guardOf(definition: ToolDefinition, names: readonly string[]): object {
  const known = guards.get(definition);
  if (known !== undefined) return known;
  const guard = new Proxy(Object.prototype, {
    get(prototype, name, receiver) {
      if (typeof name === "symbol" || name in prototype || names.includes(name) || askedByLanguage.has(name)) {
        return Reflect.get(prototype, name, receiver);
      }
      const known = names.length === 0 ? "There are none." : insteadOfName(name, names);
      throw new ToolDefinitionError(`${definition.name}: its rule reads "${name}", which is no parameter. ${known}`);
    },
  });
  guards.set(definition, guard);
  return guard;
}
