import { describeFormat, describePattern, got, plural } from "./describe-value.js";
import { hasFormat } from "../validation/engine.js";
import { isSecret } from "./fault-text.js";
import type { SchemaNode } from "../keywords.js";
import { isMultiple } from "../validation/multiple.js";
import { safePattern } from "../pattern/pattern.js";
import type { Place } from "../place.js";
import { countCharacters } from "./value-kinds.js";
import type { Walk } from "./walk.js";

export function checkText(walk: Walk, schema: SchemaNode, text: string, place: Place | undefined): void {
  const { minLength, maxLength, pattern, format } = schema;
  if (typeof minLength === "number" || typeof maxLength === "number") checkLength(walk, schema, text, place);
  if (typeof pattern === "string") checkPattern(walk, pattern, text, place);
  if (typeof format === "string") {
    walk.session.budget.spend(20 + text.length * (format === "regex" ? 20 : 1), place);
    if (!hasFormat(text, format)) {
      walk.expect(
        place,
        "format",
        () => describeFormat(format),
        () => got(text),
      );
    }
  }
}

/** A text has at least half as many characters as code units, so most need no counting. */
function checkLength(walk: Walk, { minLength, maxLength }: SchemaNode, text: string, place: Place | undefined): void {
  const least = Number(minLength ?? 0);
  const most = Number(maxLength ?? Number.POSITIVE_INFINITY);
  if (text.length >= 2 * least && text.length <= most) return;
  walk.session.budget.spend(text.length / 2, place);
  const length = countCharacters(text);
  if (length < least) {
    walk.fault(place, "minLength", () =>
      length === 0 && minLength === 1 ? "must not be empty" : `must have at least ${plural(least, "character")}, has ${length}`,
    );
  }
  if (length > most) walk.fault(place, "maxLength", () => `must have at most ${plural(most, "character")}, has ${length}`);
}

function checkPattern(walk: Walk, source: string, text: string, place: Place | undefined): void {
  const matches = safePattern(source).test(text, (units) => walk.session.budget.spend(units, place));
  if (!matches) {
    walk.fault(place, "pattern", () => `must match the pattern ${describePattern(source)}${isSecret(place) ? "" : got(text)}`);
  }
}

export function checkNumber(walk: Walk, schema: SchemaNode, number: number, place: Place | undefined): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const expect = (keyword: string, expected: string): void =>
    walk.expect(
      place,
      keyword,
      () => expected,
      () => `, got ${number}`,
    );
  if (typeof minimum === "number" && number < minimum) expect("minimum", `at least ${minimum}`);
  if (typeof maximum === "number" && number > maximum) expect("maximum", `at most ${maximum}`);
  if (typeof exclusiveMinimum === "number" && number <= exclusiveMinimum) expect("exclusiveMinimum", `greater than ${exclusiveMinimum}`);
  if (typeof exclusiveMaximum === "number" && number >= exclusiveMaximum) expect("exclusiveMaximum", `less than ${exclusiveMaximum}`);
  if (typeof multipleOf === "number") {
    walk.session.budget.spend(20, place);
    if (!isMultiple(number, multipleOf)) expect("multipleOf", `a multiple of ${multipleOf}`);
  }
}
