import fc from "fast-check";
import { normalise } from "../../src/execution/index.js";
import { plainSize } from "../../src/execution/result/plain-size.js";
import { createTool } from "../../src/tool/index.js";
import { caller } from "./support.js";

class Point {
  #secret = 1;
  constructor(
    readonly x: number,
    readonly y: number,
  ) {}
  get length() {
    return Math.hypot(this.x, this.y) + this.#secret;
  }
}

describe("what a tool returns becomes JSON once, right after the call", () => {
  const resultOf = async (returned: unknown) =>
    (await caller(createTool({ name: "t", description: "T.", inputSchema: { type: "object" }, execute: () => returned }))()).data;

  it("case 55: a Date is its ISO text", async () => {
    expect(await resultOf({ at: new Date(0) })).toEqual({ at: "1970-01-01T00:00:00.000Z" });
  });

  it("case 56: undefined is null, and left out of objects", async () => {
    expect(await resultOf(undefined)).toBeNull();
    expect(await resultOf([{ a: undefined }, undefined])).toEqual([{}, null]);
  });

  it.each<[string, unknown, unknown]>([
    ["a promise in a result", { later: Promise.resolve(1) }, { later: "[a promise that was not awaited]" }],
    ["an invalid Date", new Date(Number.NaN), null],
    ["a Map with text keys", new Map([["a", new Date(0)]]), { a: "1970-01-01T00:00:00.000Z" }],
    ["a Map with other keys", new Map<unknown, unknown>([[1, "one"]]), [[1, "one"]]],
    ["a Map with the key __proto__", new Map([["__proto__", 1]]), JSON.parse('{"__proto__":1}')],
    ["a Set", new Set([1, 1, 2]), [1, 2]],
    ["a BigInt", { n: 12345678901234567890n }, { n: "12345678901234567890" }],
    ["NaN and Infinity", [Number.NaN, Number.POSITIVE_INFINITY], [null, null]],
    ["functions and symbols", { f: () => 1, s: Symbol("s"), list: [() => 1] }, { list: [null] }],
    ["an Error", new TypeError("wrong", { cause: "x" }), { name: "TypeError", message: "wrong", cause: "x" }],
    ["an Error with a code", Object.assign(new Error("no"), { code: "ENOENT" }), { name: "Error", message: "no", code: "ENOENT" }],
    ["a RegExp", /a+/g, "/a+/g"],
    ["a URL", new URL("https://a.test/x"), "https://a.test/x"],
    ["a Buffer", Buffer.from("hi"), "aGk="],
    ["an ArrayBuffer", new Uint8Array([104, 105]).buffer, "aGk="],
    ["numbers in a typed array", new Float32Array([1.5, Number.NaN]), [1.5, null]],
    ["big numbers in a typed array", new BigInt64Array([7n]), ["7"]],
    ["boxed values", [Object("text"), Object(5), Object(true)], ["text", 5, true]],
    ["a class instance", new Point(3, 4), { x: 3, y: 4 }],
    ["an object with toJSON", { toJSON: () => ({ when: new Date(0) }) }, { when: "1970-01-01T00:00:00.000Z" }],
    ["an object without a prototype", Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    ["an array with holes", Object.assign([1], { 2: 3 }), [1, null, 3]],
  ])("%s", (_kind, value, expected) => {
    expect(normalise(value)).toEqual(expected);
  });

  it("cycles end in a note, and what is only shared stays", () => {
    const node: any = { name: "a" };
    node.self = node;
    expect(normalise(node)).toEqual({ name: "a", self: "[circular]" });
    const shared = { x: 1 };
    expect(normalise([shared, shared, new Set([shared])])).toEqual([{ x: 1 }, { x: 1 }, [{ x: 1 }]]);
  });

  it("a getter or toJSON that throws costs that member alone", () => {
    const value = {
      good: 1,
      get bad(): never {
        throw new Error("no");
      },
      worse: {
        toJSON() {
          throw new Error("never");
        },
      },
    };
    expect(normalise(value)).toEqual({ good: 1, bad: "[unreadable: no]", worse: "[unreadable: never]" });
    expect(normalise(Proxy.revocable({}, {}).proxy)).toEqual({});
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(normalise({ proxy })).toEqual({ proxy: expect.stringMatching(/^\[unreadable: /) });
  });

  it("a tool may return such a thing at its root", async () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(
      await caller(createTool({ name: "t", description: "T.", inputSchema: { type: "object" }, execute: () => ({ proxy }) }))(),
    ).toMatchObject({
      data: { proxy: expect.stringMatching(/^\[unreadable/) },
    });
  });

  it("what is nested without end becomes a note, at any depth that a program can build", () => {
    let deep: unknown = "bottom";
    for (let level = 0; level < 50_000; level += 1) deep = [deep];
    expect(JSON.stringify(normalise(deep))).toMatch(/^\[+"\[nested too deeply\]"\]+$/);
  });

  it("plain JSON is not copied", async () => {
    const value = { a: [1, { b: "c" }] };
    expect(await resultOf(value)).toBe(value);
  });
});

describe("normalise", () => {
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withTypedArray: true,
    withSparseArray: true,
    withNullPrototype: true,
    withBoxedValues: true,
  });

  it("gives JSON for anything: what it gives survives a round trip unchanged", () => {
    fc.assert(
      fc.property(anything, (value) => {
        const normal = normalise(value);
        // -0 is 0 in JSON.
        expect(JSON.parse(JSON.stringify(normal))).toEqual(
          JSON.parse(JSON.stringify(normal, (_key, member) => (Object.is(member, -0) ? 0 : member))),
        );
        expect(plainSize(normal)).toBeDefined();
      }),
    );
  });

  it("does not change what is JSON already", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => void expect(normalise(value)).toEqual(value)));
  });
});

describe("plainSize", () => {
  it("is never less than the bytes of the JSON text", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
        const size = plainSize(value);
        if (size !== undefined) expect(Buffer.byteLength(JSON.stringify(value))).toBeLessThanOrEqual(size);
      }),
    );
  });

  it("answers nothing for what JSON.stringify would change", () => {
    for (const value of [
      undefined,
      1n,
      Number.NaN,
      new Date(),
      new Map(),
      { a: undefined },
      [() => 1],
      { toJSON: () => 1 },
      new Point(1, 2),
    ]) {
      expect(plainSize(value)).toBeUndefined();
    }
  });
});
