import { type ToolContext, ToolDefinitionError } from "../../tool/index.js";
import { insteadOfName, isPromiseLike, nearestName } from "../../tool/internal.js";
import { createCallContext } from "../attempt/call-context.js";
import type { CallHost } from "../call-host.js";
import { copyJson } from "../result/copy-json.js";
import { messageOfThrown } from "../result/failure.js";
import { type PreparedCall, settledOf } from "./prepared-call.js";
import { RunningRule } from "./running-rule.js";

type Input = Record<string, unknown>;

/**
 * Asks a rule of a tool about the arguments of a call. A name that isn't a parameter reads as `undefined`, so a misspelt
 * confirmation rule would always answer "no". A rule that has read such a name is an error, whatever it answers.
 */
export function askRule<Answer>(
  call: PreparedCall,
  host: CallHost,
  rule: (input: Input, context: ToolContext) => Answer | PromiseLike<Answer>,
): Answer | PromiseLike<Answer> {
  const { definition } = call;
  const context = createCallContext(new RunningRule(call, host));
  const { properties, additionalProperties, patternProperties } = definition.parametersSchema;
  // A copy, because the tool must not get what a rule writes.
  const own = copyJson(settledOf(call).input) as Input;
  if (properties === undefined || additionalProperties !== false || patternProperties !== undefined) return rule(own, context);
  let misread: string | undefined;
  // A proxy of the arguments themselves keeps their prototype, by which code recognises plain objects.
  const watched = new Proxy(own, {
    get: (target, name, receiver) => {
      if (misread === undefined && typeof name === "string" && !(name in target) && isMisread(name, properties)) misread = name;
      return Reflect.get(target, name, receiver);
    },
  });
  // Reading doesn't throw, because the rule's own `catch` would hide it.
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
    const answer = rule(watched, context);
    return isPromiseLike(answer) ? Promise.resolve(answer).then(checked, rethrown) : checked(answer);
  } catch (error) {
    return rethrown(error);
  }
}

const isMisread = (name: string, properties: Readonly<Record<string, unknown>>): boolean =>
  !Object.hasOwn(properties, name) && !(askedOfAnything.has(name) && nearestName(name, Object.keys(properties)) === undefined);

/** The language, and code that takes any object, read these. If a parameter has almost that name, the rule meant the parameter. */
const askedOfAnything: ReadonlySet<string> = new Set(["toJSON", "then", "length", "href", "inspect", "nodeType", "_bsontype"]);
