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

/** Every copy of class-validator writes to this one global: where it is missing, no class has rules. */
const storage = (): RuleStorage | undefined =>
  (globalThis as { classValidatorMetadataStorage?: RuleStorage }).classValidatorMetadataStorage;

export const constraintsOf = (rule: RuleMetadata): readonly RuleConstraint[] =>
  storage()?.getTargetValidatorConstraints(rule.constraintCls) ?? [];

type RulesByProperty = ReadonlyMap<string, readonly RuleMetadata[]>;

const cache = new WeakMap<object, RulesByProperty>();

/**
 * The rules that hold for a class, by property, the base's properties first; undefined where there are none.
 *
 * As in class-validator, a property that a subclass decorates again keeps the base's rules only of the types
 * that the subclass didn't write, and rules of all groups hold. One thing differs: `@IsOptional` and
 * `@ValidateIf` of a base end where a subclass decorates the property again. class-validator keeps them, so that
 * a property required by the subclass passes when it is missing (typestack/class-validator#1267).
 *
 * Rules that were found are kept: what is registered by hand must be registered by the first use.
 */
export function effectiveRules(constructor: object): RulesByProperty | undefined {
  const known = cache.get(constructor);
  if (known !== undefined) return known;
  const all = storage()?.getTargetValidationMetadatas(constructor, undefined, false, false) ?? [];
  // Classes without rules are many, and aren't kept: each entry of a weak map costs every garbage collection.
  if (all.length === 0) return undefined;
  const rules = nearestRules(all, classChain(constructor));
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

function nearestRules(all: readonly RuleMetadata[], chain: readonly object[]): RulesByProperty {
  const distance = (rule: RuleMetadata): number => chain.indexOf(rule.target as object);
  const byProperty = new Map<string, RuleMetadata[]>();
  for (const rule of [...all].sort((first, second) => distance(second) - distance(first))) {
    const rules = byProperty.get(rule.propertyName);
    if (rules === undefined) byProperty.set(rule.propertyName, [rule]);
    else rules.push(rule);
  }
  for (const [property, rules] of byProperty) {
    const nearest = (type?: string): number => Math.min(...rules.filter((rule) => type === undefined || rule.type === type).map(distance));
    byProperty.set(
      property,
      rules.filter((rule) => distance(rule) === nearest(rule.type === ruleTypes.conditional ? undefined : rule.type)),
    );
  }
  return byProperty;
}
