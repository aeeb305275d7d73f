import fc from "fast-check";
import { ToolCallAssembler, type ToolCallPiece } from "../../src/models/index.js";
import { parseArgumentsText } from "../../src/schema/internal.js";

/** The calls that a stream of pieces gives; checks that the deltas say the same. */
function assemble(pieces: readonly ToolCallPiece[]) {
  const assembler = new ToolCallAssembler();
  const deltas = pieces.flatMap((piece) => assembler.add(piece) ?? []);
  const calls = assembler.toolCalls();
  for (const [index, call] of calls.entries()) {
    const own = deltas.filter((delta) => delta.index === index);
    if (call.name === "") continue;
    expect(own.map((delta) => delta.arguments).join("")).toBe(call.arguments);
    expect(own.every((delta) => delta.id === call.id && delta.name === call.name)).toBe(true);
  }
  return calls;
}

describe("ToolCallAssembler", () => {
  it("joins the pieces of parallel calls by index, as OpenAI sends them: id and name come once", () => {
    const calls = assemble([
      { index: 0, id: "c1", name: "weather", arguments: "" },
      { index: 0, arguments: '{"city":' },
      { index: 1, id: "c2", name: "forecast", arguments: "" },
      { index: 1, arguments: '{"city":"Rome"}' },
      { index: 0, arguments: '"Paris"}' },
    ]);

    expect(calls).toEqual([
      { id: "c1", name: "weather", arguments: '{"city":"Paris"}' },
      { id: "c2", name: "forecast", arguments: '{"city":"Rome"}' },
    ]);
  });

  it.each([
    ["the same index", 0],
    ["no index", undefined],
    ["null as index", null],
  ])("case 31: distinguishes two calls with %s by their ids", (_what, index) => {
    const calls = assemble([
      { index, id: "c1", name: "add", arguments: '{"a"' },
      { index, arguments: ":1}" },
      { index, id: "c2", name: "add", arguments: '{"a"' },
      { index, arguments: ":2}" },
    ]);

    expect(calls).toEqual([
      { id: "c1", name: "add", arguments: '{"a":1}' },
      { id: "c2", name: "add", arguments: '{"a":2}' },
    ]);
  });

  it("case 31: distinguishes interleaved calls of one index if each piece has its id", () => {
    const calls = assemble([
      { index: 0, id: "c1", name: "add", arguments: '{"a"' },
      { index: 0, id: "c2", name: "add", arguments: '{"a"' },
      { index: 0, id: "c1", arguments: ":1}" },
      { index: 0, id: "c2", arguments: ":2}" },
    ]);

    expect(calls.map((call) => call.arguments)).toEqual(['{"a":1}', '{"a":2}']);
  });

  it("case 31: distinguishes calls without ids and with one index if each comes whole, with its name", () => {
    const calls = assemble([
      { index: 0, name: "add", arguments: '{"a":1}' },
      { index: 0, name: "add", arguments: '{"a":2}' },
    ]);

    expect(calls.map((call) => call.arguments)).toEqual(['{"a":1}', '{"a":2}']);
    expect(new Set(calls.map((call) => call.id)).size).toBe(2);
  });

  it.each([
    ["one id", "same", "same"],
    ["different ids", "c1", "c2"],
    ["no ids", undefined, undefined],
    ["an id for the first", "c1", undefined],
    ["an id for the second", undefined, "c2"],
  ])("keeps two whole calls without index apart: %s", (_what, first, second) => {
    for (const index of [undefined, null]) {
      for (const [name, text] of [
        ["add", '{"a":2}'],
        ["add", '{"a":1}'],
        ["sub", ""],
      ] as const) {
        const calls = assemble([
          { index, id: first, name: "add", arguments: '{"a":1}' },
          { index, id: second, name, arguments: text },
        ]);
        expect(calls.map((call) => [call.name, call.arguments])).toEqual([
          ["add", '{"a":1}'],
          [name, text],
        ]);
        expect(new Set(calls.map((call) => call.id)).size).toBe(2);
      }
    }
  });

  it("joins the pieces of a server that repeats id and name with each of them and has no index", () => {
    const calls = assemble([
      { id: "c1", name: "plan", arguments: '{"at":' },
      { id: "c2", name: "plan", arguments: "" },
      { id: "c1", name: "plan", arguments: '{"day":1}' },
      { id: "c2", name: "plan", arguments: "{}" },
      { id: "c1", name: "plan", arguments: "}" },
      { id: "c2", name: "plan", arguments: "" },
    ]);

    expect(calls.map((call) => call.arguments)).toEqual(['{"at":{"day":1}}', "{}"]);
  });

  it("case 31: leaves calls that can't be distinguished as text that is rejected as arguments, and is never read as {}", () => {
    const [call, ...others] = assemble([
      { index: 0, name: "add", arguments: '{"a":1}' },
      { index: 0, arguments: '{"a":2}' },
    ]);

    expect(others).toEqual([]);
    expect(parseArgumentsText(call!.arguments)).toMatchObject({ ok: false });
  });

  it("case 32: makes up an id if the first delta has none, and keeps it for all later deltas of that index", () => {
    const assembler = new ToolCallAssembler();
    const deltas = [
      assembler.add({ index: 0, name: "weather", arguments: "" }),
      assembler.add({ index: 0, arguments: '{"city":' }),
      assembler.add({ index: 0, id: "late", arguments: '"Paris"}' }),
      assembler.add({ index: 0, id: "late", arguments: " " }),
    ];

    const [call] = assembler.toolCalls();
    expect(call?.id).toMatch(/^call_\w{8,}$/);
    expect(deltas.map((delta) => delta?.id)).toEqual(Array(4).fill(call?.id));
    expect(call?.arguments).toBe('{"city":"Paris"} ');
  });

  it("takes empty and null fields for missing ones", () => {
    const calls = assemble([
      { index: 0, id: "c1", name: "weather", arguments: null },
      { index: 0, id: "", name: "", arguments: "{}" },
      { index: 0, id: null, name: null, arguments: " " },
    ]);

    expect(calls).toEqual([{ id: "c1", name: "weather", arguments: "{} " }]);
  });

  it("joins the pieces of a server that repeats the name with each of them, also if a piece begins with a brace", () => {
    const calls = assemble([
      { index: 0, name: "plan", arguments: '{"at":' },
      { index: 0, name: "plan", arguments: '{"day":1}' },
      { index: 0, name: "plan", arguments: "}" },
    ]);

    expect(calls.map((call) => call.arguments)).toEqual(['{"at":{"day":1}}']);
  });

  it("distinguishes calls of several indexes if a server gives all of them one id", () => {
    const calls = assemble([
      { index: 0, id: "same", name: "add", arguments: '{"a":1}' },
      { index: 1, id: "same", name: "add", arguments: '{"a"' },
      { index: 1, id: "same", arguments: ":2}" },
    ]);

    expect(calls.map((call) => call.arguments)).toEqual(['{"a":1}', '{"a":2}']);
    expect(calls[0]?.id).not.toBe(calls[1]?.id);
  });

  it("waits for a name that comes late, and then returns what came before it", () => {
    const assembler = new ToolCallAssembler();

    expect(assembler.add({ index: 0, id: "c1", arguments: '{"city":' })).toBeUndefined();
    expect(assembler.add({ index: 0, name: "weather", arguments: '"Paris"' })).toEqual({
      type: "tool_call",
      index: 0,
      id: "c1",
      name: "weather",
      arguments: '{"city":"Paris"',
    });
  });

  it("gives back any calls from any pieces, in any order of the indexes", () => {
    const wireCall = fc.record({
      name: fc.constantFrom("add", "sub"),
      text: fc.json(),
      hasId: fc.boolean(),
      size: fc.integer({ min: 1, max: 9 }),
    });
    fc.assert(
      fc.property(fc.array(wireCall, { minLength: 1, maxLength: 4 }), fc.infiniteStream(fc.nat(99)), (sent, chance) => {
        const queues = sent.map(({ name, text, hasId, size }, index) => [
          { index, ...(hasId && { id: `c${index}` }), name, arguments: "" },
          ...(text.match(new RegExp(`.{1,${size}}`, "gsu")) ?? []).map((piece) => ({ index, arguments: piece })),
        ]);
        // All calls begin in order; their later pieces come in any order.
        const pieces: ToolCallPiece[] = queues.flatMap((queue) => queue.splice(0, 1));
        for (let rest = queues; (rest = rest.filter((queue) => queue.length > 0)).length > 0; ) {
          pieces.push(...rest[chance.next().value % rest.length]!.splice(0, 1));
        }

        expect(assemble(pieces)).toEqual(
          sent.map(({ name, text, hasId }, index) => ({ id: hasId ? `c${index}` : expect.any(String), name, arguments: text })),
        );
      }),
    );
  });
});
