import { execFileSync } from "node:child_process";
import { hasFormat } from "../../src/schema/validation/engine.js";
import { atOnce, processorTimeOf } from "../support/processor-time.js";

describe("the engine", () => {
  it("checks formats that it knows and lets others pass", () => {
    expect(hasFormat("2024-02-30", "date")).toBe(false);
    expect(hasFormat("2024-02-29", "date")).toBe(true);
    expect(hasFormat("anything", "phone")).toBe(true);
  });

  it.each([
    "email",
    "uri",
    "uri-template",
    "hostname",
    "idn-hostname",
    "iri",
    "date-time",
    "duration",
    "ipv6",
    "idn-email",
    "json-pointer",
    "regex",
  ])("the format %s answers at once on 64 KB", (format) => {
    const time = processorTimeOf(() => {
      for (const unit of ["a", "a.", "-", " ", "1:", "[", "%20", "{a}", "a@", "P1D", "~", "xn--", "://", "+1", "9", "T"]) {
        hasFormat(unit.repeat(Math.floor((64 * 1024) / unit.length)), format);
        hasFormat(`a:${unit.repeat(Math.floor((64 * 1024) / unit.length))}\n`, format);
      }
    });
    expect(time).toBeLessThan(atOnce);
  });

  it("works if code generation is forbidden, with the same verdicts", () => {
    const script = `
      const { Compile } = require(${JSON.stringify(require.resolve("typebox/schema"))});
      let forbidden = false;
      try { new Function("return 1")(); } catch { forbidden = true; }
      class Safe extends RegExp { test(text) { return text === "ok"; } }
      const validator = Compile({ properties: { a: { type: "string", pattern: new Safe("x") }, b: { allOf: [{ "~refine": [{ check: (v) => v > 1, error: () => "" }] }] } } });
      console.log(JSON.stringify([forbidden, validator.IsAccelerated(), validator.Check({ a: "ok", b: 2 }), validator.Check({ a: "x" }), validator.Check({ b: 1 })]));
    `;
    const output = execFileSync(process.execPath, ["--disallow-code-generation-from-strings", "-e", script], { encoding: "utf8" });
    expect(JSON.parse(output)).toEqual([true, false, true, false, false]);
  });
});
