import { createContext, runInContext } from "node:vm";
import fc from "fast-check";
import { PatternError, safePattern } from "../../src/schema/pattern/pattern.js";

const milliseconds = (work: () => void): number => {
  const start = performance.now();
  work();
  return performance.now() - start;
};

const context = createContext({ source: "", text: "" });

/** What the platform's engine finds; `undefined` if it takes a second, as it may for ever with nested repetitions. */
function platformSays(source: string, text: string): boolean | undefined {
  Object.assign(context, { source, text });
  try {
    return runInContext('new RegExp(source, "u").test(text)', context, { timeout: 1_000 }) as boolean;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return undefined;
    throw error;
  }
}

describe("safePattern", () => {
  it.each([
    ["^[0-9]{5}$", "12345", "1234"],
    ["^(a+)+$", "aaa", "aab"],
    ["^\\s+|\\s+$", "a ", "a"],
    ["^(?=.*[A-Z])(?=.*\\d).{4,}$", "abC1", "abc1"],
    ["(?<!\\d)x", "ax", "1x"],
    ["(?<=a+b)c", "aabc", "bc"],
    ["\\bcat\\b.*dog", "a cat, a dog", "concatenate dog"],
    ["^\\p{L}+( \\p{L}+)*$", "Zoë Müller", "R2 D2"],
    ["^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$", "a@b.co", "a@b"],
    ["^(?:x{2,3}y?){2}$", "xxxxxy", "xyxy"],
    ["^[\\w-.]+$", "a-b.c", "a b"],
    ["\\ud83d\\ude00.*!", "\u{1F600}!", "\u{1F601}!"],
  ])("%s matches %j and not %j", (source, fits, fails) => {
    const { expression } = safePattern(source);
    expect(expression.test(fits)).toBe(true);
    expect(expression.test(fails)).toBe(false);
  });

  it.each([
    ["^(a+)+$", `${"a".repeat(40)}!`],
    ["^(a|aa)+$", `${"a".repeat(60)}!`],
    ["^\\s+|\\s+$", `x${" ".repeat(50_000)}x`],
    ["^(([a-z])+.)+[A-Z]([a-z])+$", "a".repeat(5_000)],
    ["(x+x+)+y", "x".repeat(5_000)],
    ["^(?:|){30}x", "y"],
    ["(?=(a+)+b)a", "a".repeat(5_000)],
    ["^((?:a?){20})*b$", "a".repeat(5_000)],
  ])("%s answers at once on a text that makes backtracking engines hang", (source, text) => {
    const { expression } = safePattern(source);
    let matched = true;
    expect(milliseconds(() => (matched = expression.test(text)))).toBeLessThan(2_000);
    expect(matched).toBe(false);
  });

  it.each([
    "^[0-9]{5}$",
    "^[a-z][a-z0-9_]*$",
    "^\\d{4}-\\d{2}-\\d{2}$",
    "^(?:GET|POST|DELETE)$",
    "^[^\\s@]+@[^\\s@]+$",
    "foo|bar",
    "^https?://",
  ])("%s stays with the platform's engine, which is linear for it", (source) => expect(safePattern(source).plain).toBe(true));

  it.each(["^(a+)+$", "\\s+$", "^(a|a)*$", "^(?:a|b|ab)*c$", "^a*a*$"])("%s does not", (source) => {
    expect(safePattern(source).plain).toBe(false);
  });

  it.each([
    ["(a", /isn't a regular expression/],
    ["^(a)\\1$", /refers back to a group/],
    ["^(?<x>a)\\k<x>$", /refers back to a group/],
    ["^(?:(?:a|b|ab){1000}){1000}c$", /too large/],
    ["^(?:(?:(?:|){2000}){2000}){2000}$", /too large/],
    ["((?=(?=(?<=a)){1,200}){2,30}){1,200}", /too large/],
  ])("%s is refused", (source, reason) => {
    expect(() => safePattern(source)).toThrow(PatternError);
    expect(() => safePattern(source)).toThrow(reason);
  });

  it("takes a text beyond the steps it may use as not matching, and says where that begins", () => {
    const { expression, maxLength } = safePattern("^(?:a|a)*$");
    expect(expression.test("a".repeat(1_000))).toBe(true);
    expect(maxLength).toBeGreaterThan(256 * 1024);
    expect(expression.test("a".repeat(maxLength + 1))).toBe(false);
  });

  it("agrees with the platform's engine on random patterns and texts", () => {
    const atom = fc.constantFrom("a", "b", "[ab]", "[^a]", ".", "\\d", "\\b", "^", "$", "(?=a)", "(?!b)", "(?<=a)", "(?<!ab)");
    const quantifier = fc.constantFrom("", "", "", "*", "+", "?", "{2}", "{1,2}", "*?", "{0,}");
    const { pattern } = fc.letrec<{ pattern: string; term: string }>((tie) => ({
      pattern: fc
        .array(
          fc.array(tie("term"), { maxLength: 4 }).map((terms) => terms.join("")),
          { minLength: 1, maxLength: 3 },
        )
        .map((options) => options.join("|")),
      term: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        fc.tuple(atom, quantifier).map(([text, count]) => (/^\W*\(\?|^[\^$]|^\\b/.test(text) ? text : text + count)),
        fc.tuple(tie("pattern"), quantifier).map(([inner, count]) => `(?:${inner})${count}`),
        tie("pattern").map((inner) => `(?=${inner})`),
        tie("pattern").map((inner) => `(?<!${inner})`),
      ),
    }));
    fc.assert(
      fc.property(pattern, fc.stringMatching(/^[ab1 ]{0,8}$/), (source, text) => {
        const answer = platformSays(source, text);
        fc.pre(answer !== undefined);
        expect(safePattern(source).expression.test(text)).toBe(answer);
      }),
      { numRuns: 400 },
    );
  });
});
