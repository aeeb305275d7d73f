import { type ToolDefinition, ToolDefinitionError } from "../tool/index.js";
import { insteadOfName } from "../tool/internal.js";

type Input = Record<string, unknown>;

/**
 * Asks a rule of a tool about the arguments. A name that no parameter has would read as `undefined`, by which a misspelt
 * confirmation rule answers "no" for ever: reading one throws.
 */
export function askRule<Answer>(definition: ToolDefinition, input: Input, rule: (input: Input) => Answer): Answer {
  const { properties, additionalProperties, patternProperties } = definition.parametersSchema;
  if (properties === undefined || additionalProperties !== false || patternProperties !== undefined) return rule(input);
  let isAsking = true;
  // A proxy of the arguments themselves: their prototype stays that of any object, by which code tells plain ones.
  const guarded = new Proxy(Object.assign({}, input), {
    get: (target, name, receiver) => {
      if (isAsking && typeof name === "string" && !(name in target) && !Object.hasOwn(properties, name) && !askedByLanguage.has(name)) {
        const names = Object.keys(properties);
        const known = names.length === 0 ? "There are none." : insteadOfName(name, names);
        throw new ToolDefinitionError(`${definition.name}: its rule reads "${name}", which is no parameter. ${known}`);
      }
      return Reflect.get(target, name, receiver);
    },
  });
  const answer = rule(guarded);
  // Whoever keeps the arguments, or logs them, may read anything later.
  const answered = (): void => {
    isAsking = false;
  };
  if (!(answer instanceof Promise)) answered();
  else answer.then(answered, answered);
  return answer;
}

/** What the language, and code that handles any object, asks for. */
const askedByLanguage: ReadonlySet<string> = new Set(["toJSON", "then", "length", "href", "inspect", "nodeType", "_bsontype"]);
