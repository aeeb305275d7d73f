import fc from "fast-check";
import { checkArgumentsValue, parseArgumentsText } from "../../src/schema/internal.js";
import { atOnce, processorTimeOf } from "../support/processor-time.js";

const read = (text: string): unknown => {
  const parsed = parseArgumentsText(text);
  return parsed.ok ? parsed.value : parsed.error.code;
};

const message = (text: string): string => {
  const parsed = parseArgumentsText(text);
  return parsed.ok ? "" : parsed.error.message;
};

describe("parseArgumentsText", () => {
  it.each(["", " ", "\n\t "])("case 1: empty text %j means no arguments", (text) => {
    expect(parseArgumentsText(text)).toEqual({ ok: true, value: {}, repaired: false });
  });

  it("case 4: valid JSON is never touched by the repairer", () => {
    const value = { code: 'x = "a,}" + "\\"', python: "{'a': True, }", list: "[1,2,]" };
    expect(parseArgumentsText(JSON.stringify(value))).toEqual({ ok: true, value, repaired: false });
  });

  it.each([
    ["a Markdown fence", '```json\n{"a":1}\n```'],
    ["a fence without a language", '```\n{"a":1}\n```\n'],
    ["a byte order mark", '\uFEFF{"a":1}'],
    ["single quotes", "{'a':1}"],
    ["bare keys", "{a:1}"],
    ["a trailing comma", '{"a":1,}'],
    ["a closing bracket too many", '{"a":1}}'],
    ["several closing brackets too many", '{"a":1}]} }'],
    ["an object encoded twice", '"{\\"a\\":1}"'],
  ])("%s is read, and marked as repaired", (_, text) => {
    expect(parseArgumentsText(text)).toEqual({ ok: true, value: { a: 1 }, repaired: true });
  });

  it.each<[string, unknown]>([
    ['{"a":"line 1\nline 2\ttab",}', { a: "line 1\nline 2\ttab" }],
    ["{'a':'say \"hi\"', 'b':'it\\'s'}", { a: 'say "hi"', b: "it's" }],
    ["{a:True,b:False,c:None,d:null}", { a: true, b: false, c: null, d: null }],
    ["{'u':'\\u00e9\\n\\\\','deep':[[1,],{},]}", { u: "é\n\\", deep: [[1], {}] }],
    ["{'n':-1.5e3}", { n: -1500 }],
  ])("%j means %j", (text, value) => {
    expect(read(text)).toEqual(value);
  });

  const refused: [text: string, code: string][] = [
    ["{'a':1", "truncated"],
    ["{'a':10", "truncated"],
    ["{'a':'x", "truncated"],
    ["{'a':'x\\", "truncated"],
    ["{'a':'x\\u00", "truncated"],
    ["{'a':Tru", "truncated"],
    ["{'a'", "truncated"],
    ["{", "truncated"],
    ["{'a':1}{'b':2}", "malformed_json"],
    ["{'a':1} done", "malformed_json"],
    ["{'a':'x' 'b'}", "malformed_json"],
    ["{'a':undefined}", "malformed_json"],
    ["{'a':NaN}", "malformed_json"],
    ["{'a':0x1F}", "malformed_json"],
    ["{'a':1.}", "malformed_json"],
    ["{'a':'\\q'}", "malformed_json"],
    ["{'a':'\\uZZZZ'}", "malformed_json"],
    ["{'a':12345678901234567890}", "unsafe_integer"],
    ["{'a':1e999}", "unsafe_integer"],
    ["{'__proto__':{'x':1}}", "forbidden_key"],
    ["{'constructor':{'prototype':{}}}", "forbidden_key"],
    ["'just text'", "not_an_object"],
    ["null", "not_an_object"],
    ["42", "not_an_object"],
    ['"text"', "not_an_object"],
    ['"{\\"a\\":1"', "truncated"],
    ['{"a":[12345678901234567890]}', "unsafe_integer"],
    ['{"a":1e400}', "unsafe_integer"],
    ['{"constructor":{"prototype":1}}', "forbidden_key"],
    ['"{\\"__proto__\\":{}}"', "forbidden_key"],
    [`{'a':${"[".repeat(200)}`, "too_deep"],
    [`{"a":${"[".repeat(99)}${"]".repeat(99)}}`, "ok"],
    [`{"a":${"[".repeat(100)}${"]".repeat(100)}}`, "too_deep"],
    [`{'a':${"[".repeat(100)}${"]".repeat(100)}}`, "too_deep"],
    [JSON.stringify({ a: "x".repeat(256 * 1024) }), "too_large"],
    [JSON.stringify({ a: "\u20ac".repeat(90_000) }), "too_large"],
    [JSON.stringify({ a: "\u20ac".repeat(80_000) }), "ok"],
    [`{'a':'${"x".repeat(17_000)}'}`, "too_large_to_repair"],
  ];

  it.each(refused.map(([text, code]) => [text.slice(0, 40), code, text] as const))("%s: %s", (_, code, text) => {
    expect(typeof read(text) === "string" ? read(text) : "ok").toBe(code);
  });

  it.each<[string, unknown]>([
    ['{"a":"12345678901234567890"}', { a: "12345678901234567890" }],
    ['{"a":0.1234567890123456789}', { a: Number("0.1234567890123456789") }],
    ['{"a":6.02e123}', { a: 6.02e123 }],
    ['{"a":9007199254740991}', { a: 9007199254740991 }],
    ['{"constructor":"ACME Ltd"}', { constructor: "ACME Ltd" }],
    ['{"a":"__proto__"}', { a: "__proto__" }],
  ])("%s is harmless", (text, value) => {
    expect(read(text)).toEqual(value);
  });

  it("lone surrogates become U+FFFD, in keys too", () => {
    expect(read('{"a\\ud800":["\\udc00x"]}')).toEqual({ "a\ufffd": ["\ufffdx"] });
    expect(read('{"a":"\ud800"}')).toEqual({ a: "\ufffd" });
    expect(read('{"a":"\\ud83d\\ude00"}')).toEqual({ a: "\u{1F600}" });
  });

  it("says where, what was expected, and what to send", () => {
    expect(message("{'a':1 'b':2}")).toBe(
      'The arguments are not valid JSON: expected "," or "}" at character 7, but there is "\'b\':2}". Send one JSON object such as {"name": "value"}.',
    );
    expect(message('{"path":"/tmp/ab')).toBe(
      'The arguments end too early, after "{\\"path\\":\\"/tmp/ab" (character 16). Send the whole JSON object again, shorter if need be.',
    );
    expect(message("[1]")).toBe(
      'The arguments are an array, but must be one JSON object such as {"name": "value"}. Send {} for no arguments.',
    );
  });

  it("is linear in texts that look like trouble", () => {
    const time = processorTimeOf(() => {
      for (const unit of ['"', "{", "'", "\\", "a:", "[,", '{"a":', "```\n", "1e", "}"])
        read(`{'a':${unit.repeat(Math.floor(16_000 / unit.length))}`);
    });
    expect(time).toBeLessThan(atOnce);
  });

  it("reads any object that JSON can write", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 })), (object) => {
        const text = JSON.stringify(object);
        fc.pre(!text.includes("__proto__") && !text.includes("prototype") && (text as string & { isWellFormed(): boolean }).isWellFormed());
        const parsed = parseArgumentsText(text);
        if (!parsed.ok) expect(parsed.error.code).toBe("unsafe_integer");
        else expect(parsed).toEqual({ ok: true, value: JSON.parse(text), repaired: false });
      }),
      { numRuns: 300 },
    );
  });

  it("never throws, and never closes what was cut off", () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { minKeys: 1 });
    fc.assert(
      fc.property(object, fc.nat(), (value, cut) => {
        const text = JSON.stringify(value);
        const parsed = parseArgumentsText(text.slice(0, 1 + (cut % (text.length - 1))));
        expect(parsed.ok).toBe(false);
      }),
      { numRuns: 300 },
    );
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."{}[]:,'\"\\ntu1e-. `\nTrueNone") }), (text) => {
        expect(typeof parseArgumentsText(text).ok).toBe("boolean");
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("checkArgumentsValue", () => {
  it("finds nothing wrong with plain data, and with numbers that were measured", () => {
    expect(checkArgumentsValue({ a: [1, "x", null, { constructor: "ACME" }], avogadro: 6.02e23 })).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ["forbidden_key", JSON.parse('{"a":{"__proto__":{}}}')],
    ["forbidden_key", { constructor: { prototype: {} } }],
    ["unsafe_integer", { a: [Number("12345678901234567890")] }],
    ["too_large", Array.from({ length: 200_000 }, () => [])],
  ])("%s", (code, value) => {
    expect(checkArgumentsValue(value)?.code).toBe(code);
  });

  it("endless and shared values are refused, not followed for ever", () => {
    const endless: Record<string, unknown> = {};
    endless.left = endless;
    endless.right = endless;
    expect(checkArgumentsValue(endless)?.code).toBe("too_deep");
    let shared: unknown = {};
    for (let level = 0; level < 50; level++) shared = [shared, shared];
    expect(checkArgumentsValue(shared)?.code).toBe("too_large");
  });
});
