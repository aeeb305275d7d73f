import { inspect } from "node:util";
import fc from "fast-check";
import { redact, redactText } from "../../src/redaction/index.js";
import { redactMalformed } from "../../src/redaction/redact.js";

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
    ["Authorization: Token abc", "Authorization: Token [redacted]"],
    ["refused: Authorization: Token abc by the host", "refused: Authorization: Token [redacted] by the host"],
    ["GET /\r\nCookie: sid=a1; theme=dark\r\nHost: a.test", "GET /\r\nCookie: [redacted]\r\nHost: a.test"],
    ["Set-Cookie: sid=a1; Path=/; HttpOnly\nX-Api-Key: k1\nAge: 3", "Set-Cookie: [redacted]\nX-Api-Key: [redacted]\nAge: 3"],
    [
      "curl -H 'X-Api-Key: k 1' -H \"Cookie: a=b\" https://a.test",
      "curl -H 'X-Api-Key: [redacted]' -H \"Cookie: [redacted]\" https://a.test",
    ],
    [
      "_header: 'GET / HTTP/1.1\\r\\nAuthorization: k1\\r\\nHost: a.test'",
      "_header: 'GET / HTTP/1.1\\r\\nAuthorization: [redacted]\\r\\nHost: a.test'",
    ],
    ["login failed, password: hunter2", 'login failed, password: "[redacted]"'],
    ["DB_PASSWORD=hunter2 PORT=80", "DB_PASSWORD=[redacted] PORT=80"],
    ['{"body":"{\\"password\\":\\"hunter2\\",\\"a\\":1}"}', '{"body":"{\\"password\\":\\"[redacted]\\",\\"a\\":1}"}'],
    ["token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N", "token [redacted]"],
  ])("%s", (text, expected) => {
    expect(redactText(text)).toBe(expected);
  });

  it.each([
    "The password must be longer: 8 characters at least.",
    "sk-learn-is-a-library-for-python and skateboarding_championships",
    "Weather at 12:30 in Saint-Jean-de-Luz: 21",
    '{"city":"Paris","maxTokens":5}',
    "invalid token: expected three parts",
  ])("leaves alone: %s", (text) => {
    expect(redactText(text)).toBe(text);
  });

  it("takes secrets out of what util.inspect writes of an error with its request", () => {
    const headers = new Map([["Authorization", "Token secret-1"]]);
    const config = {
      headers: { Authorization: "Token secret-2", "X-Api-Key": "secret-3", Cookie: "a=secret-4; b=secret-5", Accept: "*/*" },
    };
    const error = Object.assign(new Error("Request failed with status code 500"), {
      config: { ...config, auth: { username: "ann", password: "secret-6" }, list: [{ token: "secret-7" }] },
      rawHeaders: ["Set-Cookie", "a=secret-8", "Date", "today"],
      headers,
      har: [{ name: "Cookie", value: "secret-9" }],
      request: { _header: "GET / HTTP/1.1\r\nAuthorization: secret-10\r\nHost: a.test\r\n" },
      response: { headers: { "set-cookie": ["a=secret-11; Path=/", "b=secret-12"] } },
    });
    const shown = redactText(inspect(error, { depth: 5, breakLength: Number.POSITIVE_INFINITY }));
    expect(shown.match(/secret-\d+/g)).toBeNull();
    for (const kept of ["Request failed with status code 500", "username: 'ann'", "Accept: '*/*'", "'Date', 'today'", "Host: a.test"]) {
      expect(shown).toContain(kept);
    }
  });

  it("takes time in proportion to a text of five million characters, and leaves out its end", () => {
    const shown = redactText("eyJ-".repeat(1_250_000));
    expect(shown.length).toBeLessThan(1_000_100);
    expect(shown).toMatch(/\[\.\.\. the end of 5000000 characters is left out here \.\.\.\]$/);
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
        const start = process.cpuUsage();
        redactText(text);
        redactMalformed(text);
        // Quadratic time would be half a minute of the processor.
        return process.cpuUsage(start).user < 2_000_000;
      }),
      { numRuns: 40, examples: parts.map((part) => [[part], "x"] as [string[], string]) },
    );
  }, 120_000);
});
