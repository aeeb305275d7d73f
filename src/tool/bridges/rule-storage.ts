import { ownFields } from "../metadata.js";

/** One class-validator decorator on one property, as class-validator stores it. */
export interface RuleMetadata {
  readonly type: string;
  readonly name?: string;
  readonly target: unknown;
  readonly propertyName: string;
  readonly constraints?: readonly unknown[];
  readonly constraintCls: object;
  readonly each?: boolean;
  readonly message?: string | ((context: RuleArguments) => string);
  /** The option of a single rule; `@ValidateIf` is a rule of its own, of the conditional type. */
  readonly validateIf?: (object: object, value: unknown) => boolean;
}

/** What class-validator hands to validators and message functions. */
export interface RuleArguments {
  readonly targetName: string;
  readonly property: string;
  readonly object: object;
  readonly value: unknown;
  readonly constraints: readonly unknown[];
}

/** The code behind a rule; `instance` comes from the container given to class-validator's `useContainer`. */
export interface RuleConstraint {
  readonly name?: string;
  readonly instance: {
    validate(value: unknown, context: RuleArguments): boolean | Promise<boolean>;
    defaultMessage?(context: RuleArguments): string;
  };
}

interface RuleStorage {
  getTargetValidationMetadatas(constructor: object, schema: undefined, always: boolean, strictGroups: boolean): readonly RuleMetadata[];
  getTargetValidatorConstraints(constraintClass: object): readonly RuleConstraint[];
}

/** class-validator's own names for the kinds of rule. */
export const ruleTypes = {
  conditional: "conditionalValidation",
  nested: "nestedValidation",
  allowed: "whitelistValidation",
} as const;

/** Every copy of class-validator writes to this one global: if it is missing, no class has rules. */
const storage = (): RuleStorage | undefined =>
  (globalThis as { classValidatorMetadataStorage?: RuleStorage }).classValidatorMetadataStorage;

export const constraintsOf = (rule: RuleMetadata): readonly RuleConstraint[] =>
  storage()?.getTargetValidatorConstraints(rule.constraintCls) ?? [];

/** What the rule says by itself about a value that breaks it, or the application instead; undefined if that depends on the value. */
export function defaultMessageOf(rule: RuleMetadata): string | undefined {
  const [constraint] = constraintsOf(rule);
  const { constraints = [], propertyName: property } = rule;
  try {
    const message = constraint?.instance.defaultMessage?.({ targetName: "", property, object: {}, value: undefined, constraints });
    return message ?? (typeof rule.message === "string" ? rule.message : undefined);
  } catch {
    return undefined;
  }
}

type RulesByProperty = ReadonlyMap<string, readonly RuleMetadata[]>;

const cache = new WeakMap<object, RulesByProperty>();

/**
 * The rules that hold for a class, by property, the base's properties first; undefined if there are none.
 *
 * A property that a subclass declares again, by rules or by Toolwright's decorators, loses the rules of its bases. A subclass that only
 * adds `@IsOptional`, `@ValidateIf` or `@Allow` keeps them. class-validator keeps rules of other kinds and the base's conditions, so
 * that no value may fit, or a property required by the subclass may be missing (typestack/class-validator#1267). Rules of all groups
 * hold, as there. A field under `@optional` skips its rules if it is absent or null.
 *
 * Rules that were found are kept: what is registered by hand must be registered by the first use.
 */
export function effectiveRules(constructor: object): RulesByProperty | undefined {
  const known = cache.get(constructor);
  if (known !== undefined) return known;
  const all = rulesWithInherited(constructor);
  // Classes without rules are many, and aren't kept: each entry of a weak map costs every garbage collection.
  if (all.length === 0) return undefined;
  const rules = nearestRules(all, constructor);
  cache.set(constructor, rules);
  return rules;
}

/** The class, its base, the base's base, ... */
export function classChain(constructor: object): readonly object[] {
  const chain: object[] = [];
  for (let current: unknown = constructor; typeof current === "function" && current !== Function.prototype; ) {
    chain.push(current);
    current = Object.getPrototypeOf(current);
  }
  return chain;
}

const rulesWithInherited = (constructor: object): readonly RuleMetadata[] =>
  storage()?.getTargetValidationMetadatas(constructor, undefined, false, false) ?? [];

/** The rules that say what a value is, not only whether it is looked at. */
const declares = ({ type }: RuleMetadata): boolean => type !== ruleTypes.conditional && type !== ruleTypes.allowed;

/** Which class declares a property: 0 is the class itself, 1 its base, and so on; infinite if none does. */
export interface Declaration {
  /** By `@required` or `@optional`. */
  readonly byField: number;
  /** By class-validator's rules. */
  readonly byRules: number;
}

/** For each property, the nearest class that declares it: what its bases say about the property doesn't hold. */
export function declarationsOf(constructor: object): (property: string) => Declaration {
  const chain = classChain(constructor);
  const all = rulesWithInherited(constructor).filter(declares);
  const nearest = (declaresIt: (current: object) => boolean): number => {
    const index = chain.findIndex(declaresIt);
    return index < 0 ? Number.POSITIVE_INFINITY : index;
  };
  return (property) => ({
    byField: nearest((current) => ownFields(current).some(({ name }) => name === property)),
    byRules: nearest((current) => all.some((rule) => rule.propertyName === property && rule.target === current)),
  });
}

function nearestRules(all: readonly RuleMetadata[], constructor: object): RulesByProperty {
  const chain = classChain(constructor);
  const declarationOf = declarationsOf(constructor);
  const distance = (rule: RuleMetadata): number => chain.indexOf(rule.target as object);
  const byProperty = new Map<string, RuleMetadata[]>();
  for (const rule of [...all].sort((first, second) => distance(second) - distance(first))) {
    const rules = byProperty.get(rule.propertyName);
    if (rules === undefined) byProperty.set(rule.propertyName, [rule]);
    else rules.push(rule);
  }
  for (const [property, rules] of byProperty) {
    const { byField, byRules } = declarationOf(property);
    const declared = Math.min(byField, byRules);
    const conditioned = Math.min(byField, ...rules.map(distance));
    const kept = rules.filter((rule) => distance(rule) <= (declares(rule) ? declared : conditioned));
    const field = ownFields(chain[byField] ?? constructor).find(({ name }) => name === property);
    if (kept.some(declares) && field?.required === false) kept.push(skipIfAbsent(constructor, property));
    if (kept.length === 0) byProperty.delete(property);
    else byProperty.set(property, kept);
  }
  return byProperty;
}

/** What `@IsOptional` would register. */
const skipIfAbsent = (target: object, propertyName: string): RuleMetadata => ({
  type: ruleTypes.conditional,
  name: "isOptional",
  target,
  propertyName,
  constraints: [(_object: object, value: unknown) => value !== undefined && value !== null],
  constraintCls: Object,
});
