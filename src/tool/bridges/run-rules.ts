import type { Fault } from "../../schema/index.js";
import { memberPath } from "../definition/revival.js";
import { transformsOf } from "./class-transformer.js";
import { isPromiseLike } from "../is-promise-like.js";
import { constraintsOf, effectiveRules, type RuleArguments, type RuleConstraint, type RuleMetadata, ruleTypes } from "./rule-storage.js";

type Finding = Fault | Promise<Fault | undefined>;

/** What `@IsOptional` and `@ValidateIf` keep as their one constraint. */
type Condition = (object: object, value: unknown) => boolean;

/** The rules of one property, sorted by what is done with them. */
interface PropertyChecks {
  readonly property: string;
  readonly conditions: readonly Condition[];
  readonly nested: readonly RuleMetadata[];
  readonly checks: readonly Check[];
}

interface Check {
  readonly rule: RuleMetadata;
  readonly constraint: RuleConstraint;
}

interface Place {
  readonly object: object;
  readonly property: string;
  readonly path: string;
}

/** What the walk needs of a class. */
interface ClassChecks {
  readonly properties: readonly PropertyChecks[];
  /** The key under which a property arrived: faults name what the model wrote. */
  keyOf(property: string): string;
}

const checksByClass = new WeakMap<object, ClassChecks>();

function checksOf(constructor: object): ClassChecks {
  let checks = checksByClass.get(constructor);
  if (checks === undefined) {
    const rules = effectiveRules(constructor) ?? [];
    const transforms = transformsOf(constructor);
    checks = {
      properties: [...rules].map(([property, list]) => propertyChecks(property, list)),
      keyOf: (property) => transforms?.keyOf(property) ?? property,
    };
    checksByClass.set(constructor, checks);
  }
  return checks;
}

const propertyChecks = (property: string, rules: readonly RuleMetadata[]): PropertyChecks => ({
  property,
  conditions: rules.filter((rule) => rule.type === ruleTypes.conditional).map((rule) => rule.constraints?.[0] as Condition),
  nested: rules.filter((rule) => rule.type === ruleTypes.nested),
  // Conditions, @ValidateNested and @Allow have no constraint class, so none of them is among the checks.
  checks: rules.flatMap((rule) => constraintsOf(rule).map((constraint) => ({ rule, constraint }))),
});

/**
 * Runs every class-validator rule of an instance and of all instances in it, whether or not `@ValidateNested` is
 * there, and gives their faults (`items[1].price`). The instance holds arguments only, no services.
 *
 * The rules are run here and not by class-validator's `validateSync`, which passes over whatever answers later: an
 * asynchronous rule would count as fulfilled. Here the result is a promise only if a rule returned one.
 * What the application's own validators throw is thrown.
 */
export function checkByRules(instance: object): readonly Fault[] | Promise<readonly Fault[]> {
  const findings: Finding[] = [];
  collect(instance, "", findings, new Set());
  const isFault = (finding: unknown): finding is Fault => finding !== undefined;
  if (findings.some(isPromiseLike)) return Promise.all(findings).then((settled) => settled.filter(isFault));
  return findings as Fault[]; // none is a promise
}

function collect(object: object, path: string, findings: Finding[], seen: Set<object>): void {
  if (seen.has(object)) return;
  seen.add(object);
  const constructor: unknown = Object.getPrototypeOf(object)?.constructor;
  const checks = typeof constructor === "function" ? checksOf(constructor) : undefined;
  for (const property of checks?.properties ?? []) {
    checkProperty(object, memberPath(path, checks?.keyOf(property.property) ?? property.property), property, findings);
  }
  for (const [key, member] of membersOf(object)) {
    if (typeof member !== "object" || member === null) continue;
    const name = typeof key === "string" && checks !== undefined ? checks.keyOf(key) : key;
    collect(member, memberPath(path, name), findings, seen);
  }
}

const isCollection = (value: unknown): value is object => Array.isArray(value) || value instanceof Set || value instanceof Map;

function membersOf(object: object): readonly (readonly [string | number, unknown])[] {
  if (Array.isArray(object)) return object.map((item, index) => [index, item]);
  if (object instanceof Set) return [...object].map((item, index) => [index, item]);
  if (object instanceof Map) return [...object].map(([key, item]) => [String(key), item]);
  return Object.entries(object);
}

function checkProperty(object: object, path: string, { property, conditions, nested, checks }: PropertyChecks, findings: Finding[]): void {
  const value: unknown = (object as Record<string, unknown>)[property];
  if (!conditions.every((condition) => condition(object, value))) return;
  const place = { object, property, path };
  for (const { rule, constraint } of checks) {
    if (rule.validateIf === undefined || rule.validateIf(object, value)) checkRule(place, value, rule, constraint, findings);
  }
  for (const rule of nested) checkNested(place, value, rule, findings);
}

/** `@ValidateNested` itself only asks for objects; their own rules are run by the walk over all members. */
function checkNested(place: Place, value: unknown, rule: RuleMetadata, findings: Finding[]): void {
  if (value === undefined) return;
  if (typeof value !== "object" || value === null) findings.push(faultOf(place, value, rule));
  else if (isCollection(value)) {
    for (const [key, item] of membersOf(value)) checkNested({ ...place, path: memberPath(place.path, key) }, item, rule, findings);
  }
}

function checkRule(place: Place, value: unknown, rule: RuleMetadata, constraint: RuleConstraint, findings: Finding[]): void {
  if (rule.each === true && isCollection(value)) {
    for (const [key, item] of membersOf(value)) {
      check({ ...place, path: memberPath(place.path, key) }, item, value, rule, constraint, findings);
    }
  } else {
    check(place, value, value, rule, constraint, findings);
  }
}

function check(place: Place, value: unknown, whole: unknown, rule: RuleMetadata, constraint: RuleConstraint, findings: Finding[]): void {
  const accepted = ask(value, argumentsOf(place, whole, rule), constraint);
  if (isPromiseLike(accepted)) {
    const finding = Promise.resolve(accepted).then((answer) => (answer ? undefined : faultOf(place, value, rule, constraint)));
    // A rule that throws at once ends the check: then nothing awaits this one, and its failure must not end the process.
    finding.catch(() => undefined);
    findings.push(finding);
  } else if (!accepted) {
    findings.push(faultOf(place, value, rule, constraint));
  }
}

function ask(value: unknown, context: RuleArguments, constraint: RuleConstraint): boolean | Promise<boolean> {
  try {
    return constraint.instance.validate(value, context);
  } catch (error) {
    // @IsNumber({ maxDecimalPlaces: 2 }) can't read numbers that JavaScript writes with an exponent, such as 1e-7.
    if (constraint.name === "isNumber") return false;
    throw error;
  }
}

const argumentsOf = ({ object, property }: Place, value: unknown, rule: RuleMetadata): RuleArguments => ({
  targetName: object.constructor.name,
  property,
  object,
  value,
  constraints: rule.constraints ?? [],
});

function faultOf(place: Place, value: unknown, rule: RuleMetadata, constraint?: RuleConstraint): Fault {
  const keyword = constraint?.name ?? rule.type;
  const context = argumentsOf(place, value, rule);
  const template = rule.message || constraint?.instance.defaultMessage?.(context) || "";
  const message = typeof template === "function" ? template(context) : template;
  return { path: place.path, message: afterPath(fillIn(message, context), place.property, keyword), keyword };
}

/** class-validator's special tokens: `$constraint1`, `$value`, `$property`, `$target`. */
function fillIn(message: string, { constraints, value, property, targetName }: RuleArguments): string {
  const textOf = (item: unknown): string => (Array.isArray(item) ? item.map(textOf).join(", ") : String(item));
  return message.replace(/\$constraint(\d+)|\$value|\$property|\$target/g, (token, number?: string) => {
    if (number !== undefined) return Number(number) <= constraints.length ? textOf(constraints[Number(number) - 1]) : token;
    if (token === "$property") return property;
    if (token === "$target") return targetName;
    return typeof value === "object" || value === undefined ? token : String(value);
  });
}

/** class-validator's sentences begin with the property; a fault's begins after it. */
function afterPath(message: string, property: string, keyword: string): string {
  if (message === "") return `breaks the rule ${keyword}`;
  for (const before of ["", "each value in "]) {
    for (const kind of ["", "nested property "]) {
      const beginning = `${before}${kind}${property} `;
      if (message.startsWith(beginning)) return message.slice(beginning.length);
    }
  }
  return `is invalid: ${message}`;
}

/** The application's own words for what the value breaks, of the rules that the keyword stands for; undefined if it gave none. */
export function ownMessage(rules: readonly RuleMetadata[], property: string, value: unknown, concerns: (rule: RuleMetadata) => boolean) {
  for (const rule of rules) {
    if (rule.message === undefined || !concerns(rule)) continue;
    const place = { object: {}, property, path: "" };
    for (const constraint of constraintsOf(rule)) {
      try {
        if (constraint.instance.validate(value, argumentsOf(place, value, rule)) === false)
          return faultOf(place, value, rule, constraint).message;
      } catch {
        // The rule, or its message, needs more than this value.
      }
    }
  }
  return undefined;
}
