import fc from "fast-check";
import { settingOf } from "../../src/tool/internal.js";
import { dialects, evaluate } from "./in-dialect.js";
import { fieldsOf } from "./metadata-of.js";

/** Makes a subclass with a setting, a field that all classes redeclare, and a field of its own. */
const source = `
  export const extend = (Base, name) => {
    @version(name)
    class Derived extends Base {
      @required(String, name) shared;
      @optional(Number) [name];
    }
    return Derived;
  };`;
const extend = { legacy: evaluate("legacy", source).extend, standard: evaluate("standard", source).extend };

describe("classes of both dialects in one family", () => {
  it.each([
    ["standard", "legacy"],
    ["legacy", "standard"],
  ] as const)("a %s class extends a %s one", (derivedDialect, baseDialect) => {
    const Base = extend[baseDialect](class {}, "base");
    const Derived = extend[derivedDialect](Base, "derived");
    expect(Object.keys(fieldsOf(Derived))).toEqual(["shared", "base", "derived"]);
    expect(fieldsOf(Derived).shared).toMatchObject({ options: { description: "derived" } });
    expect(fieldsOf(Base).shared).toMatchObject({ options: { description: "base" } });
    expect([settingOf(Base, "version"), settingOf(Derived, "version")]).toEqual(["base", "derived"]);
  });

  it("in any family, a class sees its own and its ancestors' decorators, and no others", () => {
    // Each class of the family: its dialect, and which earlier class it extends.
    const family = fc.array(fc.record({ dialect: fc.constantFrom(...dialects), parent: fc.nat() }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(family, (members) => {
        const classes: { readonly constructor: object; readonly lineage: readonly string[] }[] = [{ constructor: class {}, lineage: [] }];
        for (const [index, { dialect, parent }] of members.entries()) {
          const base = classes[parent % classes.length]!;
          const name = `own${index}`;
          classes.push({ constructor: extend[dialect](base.constructor, name), lineage: [...base.lineage, name] });
        }
        for (const { constructor, lineage } of classes.slice(1)) {
          expect(Object.keys(fieldsOf(constructor)).sort()).toEqual(["shared", ...lineage].sort());
          expect(fieldsOf(constructor).shared!.options).toEqual({ description: lineage.at(-1) });
          expect(settingOf(constructor, "version")).toBe(lineage.at(-1));
        }
      }),
      { numRuns: 50 },
    );
  });
});
