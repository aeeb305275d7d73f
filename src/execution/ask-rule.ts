import { type ToolDefinition, ToolDefinitionError } from "../tool/index.js";
import { insteadOfName, isPromiseLike, nearestName } from "../tool/internal.js";
import { copyJson } from "./result/copy-json.js";
import { messageOfThrown } from "./failure.js";

type Input = Record<string, unknown>;

/**
 * Asks a rule of a tool about the arguments. A name that no parameter has reads as `undefined`, by which a misspelt
 * confirmation rule would answer "no" for ever: whatever a rule answers that has read one, it is an error.
 */
export function askRule<Answer>(
  definition: ToolDefinition,
  input: Input,
  rule: (input: Input) => Answer | PromiseLike<Answer>,
): Answer | PromiseLike<Answer> {
  const { properties, additionalProperties, patternProperties } = definition.parametersSchema;
  // A copy: what a rule writes must not be what runs.
  const own = copyJson(input) as Input;
  if (properties === undefined || additionalProperties !== false || patternProperties !== undefined) return rule(own);
  let misread: string | undefined;
  // A proxy of the arguments themselves: their prototype stays that of any object, by which code tells plain ones.
  const watched = new Proxy(own, {
    get: (target, name, receiver) => {
      if (misread === undefined && typeof name === "string" && !(name in target) && isMisread(name, properties)) misread = name;
      return Reflect.get(target, name, receiver);
    },
  });
  // The rule is not stopped where it reads: its own `catch` would hide that.
  const failIfMisread = (): void => {
    if (misread === undefined) return;
    const names = Object.keys(properties);
    const known = names.length === 0 ? "There are none." : insteadOfName(misread, names);
    throw new ToolDefinitionError(`${definition.name}: its rule reads "${misread}", which is no parameter. ${known}`);
  };
  const checked = (answer: Answer): Answer => {
    failIfMisread();
    return answer;
  };
  const rethrown = (error: unknown): never => {
    failIfMisread();
    if ((error as { readonly name?: unknown } | undefined)?.name !== "DataCloneError") throw error;
    const hint = "Rules get a view of the arguments, which structuredClone can't copy. Write { ...input } instead.";
    throw new ToolDefinitionError(`${definition.name}: its rule failed: ${messageOfThrown(error)} ${hint}`, { cause: error });
  };
  try {
    const answer = rule(watched);
    return isPromiseLike(answer) ? Promise.resolve(answer).then(checked, rethrown) : checked(answer);
  } catch (error) {
    return rethrown(error);
  }
}

const isMisread = (name: string, properties: Readonly<Record<string, unknown>>): boolean =>
  !Object.hasOwn(properties, name) && !(askedOfAnything.has(name) && nearestName(name, Object.keys(properties)) === undefined);

/** What the language, and code that takes any object, asks for. Where a parameter has almost that name, it was meant. */
const askedOfAnything: ReadonlySet<string> = new Set(["toJSON", "then", "length", "href", "inspect", "nodeType", "_bsontype"]);
