import { decoratedFields, inputFields, originalOf } from "../../tool/internal.js";
import type { ToolClass } from "../../tool/index.js";
import type { Check, Remark } from "../finding.js";

/** Matches after a name that is used as more than a value: a member, a call, an assignment. Services are used like this. */
const asMore = /^\s*(?:\?\.|\.|\(|\[|[-+*/%&|^?<>]{0,3}=(?![=>])|\+\+|--)/;

/** A parameter of `call`, if it is the only one and has a plain name. */
const onlyParameter = /^(?:async\s+)?(?:function\b\s*)?(?:\*\s*)?(?:\w+\s*)?\(\s*([A-Za-z_$][\w$]*)\s*\)\s*\{/;

/** The members that `call` takes out of its first parameter, if it takes it apart there. */
const membersOfParameter = /^(?:async\s+)?(?:function\b\s*)?(?:\*\s*)?(?:\w+\s*)?\(\s*\{([^{}()]*)\}\s*(?:=\s*\{\s*\}\s*)?[,)]/;

/** Members of the context, and what applications put into it: who asks, and what they work with. */
const contextMember =
  /^(?:abortSignal|runId|callId|attempt|idempotencyKey|progress|log|call|client|auth)$|user|tenant|session|account|organi[sz]ation|profile|role|scope|permission|token|auth|locale|request|log|trace|db|database|service|client|store|cache|config|env/i;

/** What other frameworks call the object of all arguments. */
const argumentsName = /^(?:args?|params?|arguments|parameters|inputs?)$/i;

/** Names that say what it is, or that a minifier or a convention gave. */
const contextName = /con?te?xt|ctx|^_|^.{1,2}$/i;

/**
 * A field without its decorator is `undefined` in every call, and a parameter without a decorator receives the context. The compiler
 * reports neither. So this rule reads the source of `call`, and
 * reports only what can have no other meaning.
 */
export const declaresParameters: Check = ({ parametersSchema }, _catalogue, toolClass) => {
  const original = originalOf(toolClass);
  const { call } = original.prototype as { readonly call: object };
  const source = withoutComments(String(call));
  const parameters = Object.keys(parametersSchema.properties ?? {});
  return [...undeclaredFields(original, source), ...mistakenContext(source, parameters), ...mistakenMembers(source, parameters)];
};

function undeclaredFields(toolClass: ToolClass, source: string): readonly Remark[] {
  const declared = new Set([
    ...decoratedFields(toolClass).map(({ name }) => name),
    ...inputFields(toolClass).map(({ property }) => property),
  ]);
  const whole = sourceOf(toolClass);
  return valuesIn(source, /\bthis\.([A-Za-z_$][\w$]*)/g)
    .filter((name) => !declared.has(name) && !isSet(name, toolClass, whole))
    .map((name) => ({
      message: `call reads this.${name}, which isn't a parameter, and the class never sets it: it is undefined in every call.`,
      fix: `Declare it: @required(String, "What belongs there") ${name}!: string, with its own type.`,
      parameter: name,
    }));
}

function mistakenContext(source: string, parameters: readonly string[]): readonly Remark[] {
  const name = onlyParameter.exec(source)?.[1];
  if (name === undefined || contextName.test(name)) return [];
  const body = source.slice(source.indexOf("{"));
  const isParameter = parameters.includes(name);
  if (!isParameter && !argumentsName.test(name)) {
    if (parameters.length > 0) return [];
    if (valuesIn(body, new RegExp(`(?<![\\w$.]|\\}\\s*=\\s*)(${name.replaceAll("$", "\\$")})`, "g")).length === 0) return [];
  }
  const read = isParameter || !argumentsName.test(name) ? name : "city";
  return [
    {
      message: `call takes "${name}", but receives the context there: a parameter without a decorator isn't an argument.`,
      fix: isParameter
        ? `Read this.${name}, and remove the parameter. If it is the context, name it so.`
        : `Make it a field: @required(String, "What belongs there") ${read}!: string, which call reads as this.${read}. If it is the context, name it so.`,
      parameter: name,
    },
  ];
}

/** `call({ city })`: a declared parameter that isn't read from `this`, or, if none is declared, what no context would have. */
function mistakenMembers(source: string, parameters: readonly string[]): readonly Remark[] {
  const [head, list] = membersOfParameter.exec(source) ?? [];
  if (head === undefined || list === undefined) return [];
  const body = source.slice(head.length);
  return list.split(",").flatMap((member) => {
    const [, name, local = name] = /^\s*([A-Za-z_$][\w$]*)\s*(?::\s*([A-Za-z_$][\w$]*))?/.exec(member) ?? [];
    if (name === undefined || local === undefined) return [];
    const isParameter = parameters.includes(name);
    const escape = (text: string) => text.replaceAll("$", "\\$");
    const isMistaken = isParameter
      ? !new RegExp(`\\bthis\\.${escape(name)}(?![\\w$])`).test(body)
      : parameters.length === 0 &&
        !contextMember.test(name) &&
        valuesIn(body, new RegExp(`(?<![\\w$.])(${escape(local)})`, "g")).length > 0;
    if (!isMistaken) return [];
    return [
      {
        message: `call takes "${name}" out of the context, which has the application's values and no argument: it is undefined.`,
        fix: isParameter
          ? `Read this.${name} instead.`
          : `Make it a field: @required(String, "What belongs there") ${name}!: string, which call reads as this.${name}. If your context has it, write call(context) and read context.${name}.`,
        parameter: name,
      },
    ];
  });
}

/** The names that are used as values alone. */
function valuesIn(source: string, pattern: RegExp): readonly string[] {
  const uses = [...source.matchAll(new RegExp(`${pattern.source}(?![\\w$])`, "g"))].map((match) => ({
    name: match[1] ?? "",
    isMore: asMore.test(source.slice(match.index + match[0].length)),
  }));
  const more = new Set(uses.filter(({ isMore }) => isMore).map(({ name }) => name));
  return [...new Set(uses.map(({ name }) => name))].filter((name) => !more.has(name));
}

/** By a method or accessor, an initializer, a constructor, or a decorator of somebody else's. */
function isSet(name: string, { prototype }: ToolClass, source: string): boolean {
  if (name in (prototype as object) || Reflect.hasMetadata("design:type", prototype as object, name)) return true;
  const escaped = name.replaceAll("$", "\\$");
  // An initializer may be compiled to a call: `__publicField(this, "unit", "cent")`.
  return /Object\.assign\(this\b/.test(source) || new RegExp(`(?<![\\w$])${escaped}\\s*=(?!=)|(["'])${escaped}\\1\\s*,`).test(source);
}

/** The source of the class and its bases. */
function sourceOf(toolClass: ToolClass): string {
  let source = "";
  for (let owner: unknown = toolClass; typeof owner === "function" && owner !== Function.prototype; owner = Object.getPrototypeOf(owner)) {
    source += String(owner);
  }
  return source;
}

const commentStart = /\/\*|(?<!:)\/\/.*/g;

function withoutComments(source: string): string {
  const lastEnd = source.lastIndexOf("*/");
  let kept = "";
  let position = 0;
  commentStart.lastIndex = 0;
  for (let found = commentStart.exec(source); found !== null; found = commentStart.exec(source)) {
    const isBlock = found[0] === "/*";
    // Nothing closes it: it stands in a text, as the one of "/orders/*".
    if (isBlock && found.index + 2 > lastEnd) continue;
    kept += source.slice(position, found.index);
    position = isBlock ? source.indexOf("*/", found.index + 2) + 2 : commentStart.lastIndex;
    commentStart.lastIndex = position;
  }
  return kept + source.slice(position);
}
