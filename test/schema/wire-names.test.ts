import fc from "fast-check";
import { WireNames } from "../../src/schema/internal.js";

const legal = /^[a-zA-Z0-9_-]{1,64}$/;

describe("WireNames", () => {
  it("leaves a legal name as it is", () => {
    expect(new WireNames(["get_weather", "sayHello"]).toWire("sayHello")).toBe("sayHello");
  });

  it("case 22: calendar.respondToEvent goes out as calendar_respondToEvent and comes back as itself", () => {
    const names = new WireNames(["calendar.respondToEvent"]);
    expect(names.toWire("calendar.respondToEvent")).toBe("calendar_respondToEvent");
    expect(names.toTool("calendar_respondToEvent")).toBe("calendar.respondToEvent");
  });

  it("seed 004: maps full names with namespaces", () => {
    expect(new WireNames(["acme/billing/refund"]).toWire("acme/billing/refund")).toBe("acme_billing_refund");
  });

  it("case 22: gives the mapped one of two colliding names a suffix, and the legal one keeps its name", () => {
    const names = new WireNames(["a.b", "a_b"]);
    expect(names.toWire("a_b")).toBe("a_b");
    expect(names.toWire("a.b")).toMatch(/^a_b_[0-9a-f]{8}$/);
  });

  it("distinguishes names that differ after the 64th character", () => {
    const [first, second] = [`${"x".repeat(64)}.first`, `${"x".repeat(64)}.second`];
    const names = new WireNames([first, second]);
    expect(names.toTool(names.toWire(first))).toBe(first);
    expect(names.toTool(names.toWire(second))).toBe(second);
  });

  it("understands a tool's own name if the model writes it", () => {
    expect(new WireNames(["org/ns/tool"]).toWire("org/ns/tool")).toBe("org_ns_tool");
  });

  it("never takes a name that no tool has for a tool", () => {
    const names = new WireNames(["get_weather"]);
    const wire = names.toWire("get weather");
    expect(wire).toMatch(legal);
    expect(names.toTool(wire)).not.toBe("get_weather");
  });

  it("finds a free name even if somebody took the suffixed one", () => {
    const taken = new WireNames(["a.b", "a_b"]).toWire("a.b");
    const names = new WireNames(["a.b", "a_b", taken]);
    expect(names.toTool(names.toWire("a.b"))).toBe("a.b");
    expect(names.toTool(taken)).toBe(taken);
  });

  const toolNames = fc.uniqueArray(
    fc.oneof(fc.stringMatching(/^[ab._/-]{1,5}$/), fc.string({ minLength: 1, maxLength: 80 }), fc.stringMatching(/^[ab.]{62,70}$/)),
  );

  it("maps any set of names to legal ones, each back to itself", () => {
    fc.assert(
      fc.property(toolNames, (tools) => {
        const names = new WireNames(tools);
        for (const tool of tools) {
          expect(names.toWire(tool)).toMatch(legal);
          expect(names.toTool(names.toWire(tool))).toBe(tool);
        }
      }),
    );
  });

  it("gives the same names whatever the order of the tools", () => {
    fc.assert(
      fc.property(toolNames, (tools) => {
        const [forward, backward] = [new WireNames(tools), new WireNames([...tools].reverse())];
        for (const tool of tools) expect(backward.toWire(tool)).toBe(forward.toWire(tool));
      }),
    );
  });
});
