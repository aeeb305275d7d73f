// What other rooms build on, and no application needs.
export { acceptGenerated } from "./accept-schema.js";
export type { Restore } from "./dialects/restore.js";
export { type ProviderDialect, providerDialects } from "./dialects/rules.js";
export { shortHash } from "./dialects/short-hash.js";
export { wireDescription } from "./dialects/wire-description.js";
export { identifierForm, WireNames } from "./dialects/wire-names.js";
export { type Refused, type WireForm, type WireSchema, wireSchema } from "./dialects/wire-schema.js";
export { saysNothing } from "./arguments-text.js";
export { inheritanceFault } from "./arguments-value.js";
export { type DeclaredValue, declaredValue } from "./declared-members.js";
export { describeValue } from "./describe.js";
export { ArgumentsCopy, isPlain } from "./copy-arguments.js";
export { parseKeepingDigits, withRoundedIntegers } from "./long-integers.js";
export { isEqual } from "./equality.js";
export { freezeDeep } from "./freeze.js";
export { pathOf, type Place } from "./place.js";
export { isRecord, setOwn, subschemaKeywords } from "./keywords.js";
export { printable, printableLines, printableStack } from "./printable.js";
