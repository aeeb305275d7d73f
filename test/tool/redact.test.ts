import fc from "fast-check";
import { redact, redactText } from "../../src/tool/index.js";
import { redactMalformed } from "../../src/tool/internal.js";

describe("redacting a value", () => {
  it("takes out the values of secret names, at any depth, and copies the rest", () => {
    const value = { user: "ann", apiKey: "k", nested: [{ "X-Api-Key": "k", maxTokens: 5 }], secretKey: 7 };
    expect(redact(value)).toEqual({
      user: "ann",
      apiKey: "[redacted]",
      nested: [{ "X-Api-Key": "[redacted]", maxTokens: 5 }],
      secretKey: "[redacted]",
    });
    expect(value.apiKey).toBe("k");
  });

  it("leaves what can't be a secret: null and booleans", () => {
    expect(redact({ password: null, token: true })).toEqual({ password: null, token: true });
  });

  it("keeps a key named __proto__ an ordinary key", () => {
    const copy = redact(JSON.parse('{"__proto__":{"password":"p","admin":true}}')) as { admin?: boolean };
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"password":"[redacted]","admin":true}}');
    expect(copy.admin).toBeUndefined();
  });
});

describe("redacting a text", () => {
  it.each([
    ["postgres://ann:pw@db.test/x", "postgres://[redacted]@db.test/x"],
    ["https://ann:p@ss@db.test/x?mail=a@b.test", "https://[redacted]@db.test/x?mail=a@b.test"],
    ["GET /v1?city=Paris&api_key=abc#top", "GET /v1?city=Paris&api_key=[redacted]#top"],
    ["Authorization: Bearer abcdefghijk", "Authorization: Bearer [redacted]"],
    ['{"error":"bad","password": "hun\\"ter2","pin":1}', '{"error":"bad","password": "[redacted]","pin":1}'],
    ["Incorrect API key provided: sk-proj-0123456789abcdefghij.", "Incorrect API key provided: [redacted]"],
    ["key sk-****************abcd refused", "key [redacted] refused"],
    ["ghp_0123456789abcdefABCDEF0123456789abcd", "[redacted]"],
    ["AKIAIOSFODNN7EXAMPLE", "[redacted]"],
    ["token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N", "token [redacted]"],
  ])("%s", (text, expected) => {
    expect(redactText(text)).toBe(expected);
  });

  it.each([
    "The password must be longer: 8 characters at least.",
    "sk-learn-is-a-library-for-python and skateboarding_championships",
    "Weather at 12:30 in Saint-Jean-de-Luz: 21",
    '{"city":"Paris","maxTokens":5}',
  ])("leaves alone: %s", (text) => {
    expect(redactText(text)).toBe(text);
  });

  it("takes secrets out of arguments that are no JSON", () => {
    expect(redactMalformed("{user: ann, password: hunter2, 'token' : 'abc'")).toBe(
      `{user: ann, password: "[redacted]", 'token' : "[redacted]"`,
    );
  });

  it("takes time in proportion to the text, whatever it is", () => {
    const parts = ["a.", "a", ":", "sk-", "://", "?a", "bearer ", '"a"', " ", "eyJaaaaaaaaaa", ".", "\\", "'"];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 4 }), fc.constantFrom(...parts), (unit, end) => {
        const repeated = unit.join("");
        const text = repeated.repeat(Math.ceil(100_000 / repeated.length)) + end;
        const start = performance.now();
        redactText(text);
        redactMalformed(text);
        // Quadratic time would be half a minute.
        return performance.now() - start < 2_000;
      }),
      { numRuns: 40, examples: parts.map((part) => [[part], "x"] as [string[], string]) },
    );
  }, 120_000);
});
