import { canonicalJson, modelText, normalise, ToolExecutor } from "../../src/execution/index.js";
import { createTool, failure, type ToolCallRecord } from "../../src/tool/index.js";
import { redact } from "../../src/redaction/index.js";
import { caller } from "./support.js";

class Entity {
  constructor(members: object) {
    Object.assign(this, members);
  }
}

/** A customer with 4 orders of 20 lines; the lines share 20 products, and everything leads back. */
function customer() {
  const made: any = new Entity({ name: "Ada", orders: [] });
  const products = Array.from({ length: 20 }, (_, number): any => new Entity({ sku: `P${number}`, lines: [] }));
  for (let order = 0; order < 4; order += 1) {
    const ordered: any = new Entity({ number: order, customer: made, lines: [] });
    made.orders.push(ordered);
    for (const product of products) {
      const line = new Entity({ order: ordered, product });
      ordered.lines.push(line);
      product.lines.push(line);
    }
  }
  return made;
}

const pair = (leaf: unknown, levels = 24): unknown => (levels === 0 ? leaf : ((inner) => [inner, inner])(pair(leaf, levels - 1)));

const toolOf = (execute: () => unknown, extra = {}) =>
  createTool({ name: "big", description: "Big.", inputSchema: { type: "object" }, execute, ...extra });

/** An object that counts how often it is read. */
function counted(make: (read: () => void) => unknown) {
  let reads = 0;
  const value = make(() => {
    reads += 1;
  });
  return { value, reads: () => reads };
}

describe("a result whose objects lead back to each other", () => {
  it("reaches the model with each object once, the nearest first", async () => {
    const read = modelText(await caller(toolOf(customer))());
    expect(read.length).toBeLessThan(10_000);
    const shown = JSON.parse(read);
    expect(shown.name).toBe("Ada");
    expect(shown.orders).toHaveLength(4);
    for (const order of shown.orders) {
      expect(order.customer).toBe("[shown elsewhere]");
      expect(order.lines).toHaveLength(20);
    }
    expect(shown.orders[0].lines.map((line: any) => line.product.sku)).toEqual(Array.from({ length: 20 }, (_, number) => `P${number}`));
  });

  it("reaches code, listeners and log entries in the same way", async () => {
    const records: ToolCallRecord[] = [];
    const details: unknown[] = [];
    const tool = createTool({
      name: "big",
      description: "Big.",
      inputSchema: { type: "object" },
      execute: (_input, { log }) => {
        log.info("made", { customer: customer() });
        return customer();
      },
    });
    const listener = { toolFinished: (record: ToolCallRecord) => records.push(record), log: (entry: any) => details.push(entry.details) };
    const data = await new ToolExecutor({ tools: [tool], listeners: [listener] }).run("big", {});
    for (const shown of [data, records[0]?.result.data, (details[0] as any).customer]) {
      expect(JSON.stringify(shown).length).toBeLessThan(10_000);
      expect((shown as any).orders).toHaveLength(4);
    }
  });

  it("is checked against the output schema as its outline", async () => {
    const outputSchema = { type: "object", required: ["name"], properties: { name: { type: "integer" } } };
    const result = await caller(toolOf(customer, { outputSchema }))();
    expect(result.error).toContain("name must be an integer");
  });
});

describe("a result that is shared at 24 levels", () => {
  it.each<[string, unknown]>([
    ["lists", pair(1)],
    ["lists of dates", pair(new Date(0))],
    ["long texts", pair("x".repeat(1_000_000))],
    ["entities", pair(new Entity({ a: 1 }))],
  ])("is outlined: %s", async (_kind, value) => {
    const read = modelText(await caller(toolOf(() => value))());
    expect(read.length).toBeLessThanOrEqual(50_000);
    expect(read).toContain("[shown elsewhere]");
  });

  it("is outlined in thrown values, failures and records", async () => {
    const thrown = await caller(
      toolOf(() => {
        throw pair(1);
      }),
    )();
    expect(thrown.error).toContain("[shown elsewhere]");
    const failed = await caller(toolOf(() => failure(pair(1) as string)))();
    expect(failed.error).toContain("[shown elsewhere]");
    expect(JSON.stringify(redact(pair(1))).length).toBeLessThan(1_000_000);
  });

  it("has no canonical text, because a text that is cut could be that of another value", () => {
    expect(() => canonicalJson(pair(1))).toThrow(/canonicalJson: the value has more than 2000000 characters or 1000 levels/);
    const circle: unknown[] = [];
    circle.push(circle);
    expect(() => canonicalJson(circle)).toThrow(/Do its objects contain each other/);
  });
});

describe("a result that is too large", () => {
  it.each<[string, number, (read: () => void) => unknown]>([
    [
      "getters without end",
      50_000,
      (read) => {
        const make = (): object => ({
          get a() {
            read();
            return make();
          },
          get b() {
            return make();
          },
        });
        return make();
      },
    ],
    [
      "toJSON without end",
      50_000,
      (read) => {
        const make = (): object => ({
          toJSON() {
            read();
            return [make(), make()];
          },
        });
        return make();
      },
    ],
    [
      "an iterator without end",
      500_000,
      (read) =>
        new (class extends Set<number> {
          override *[Symbol.iterator](): SetIterator<number> {
            for (;;) {
              read();
              yield 1;
            }
          }
        })(),
    ],
    [
      "a Map of 100,000 entries",
      50_000,
      (read) =>
        new Map(
          Array.from({ length: 100_000 }, (_, index) => [
            index,
            {
              get value() {
                read();
                return index;
              },
            },
          ]),
        ),
    ],
  ])("is read no further than its limit: %s", async (_kind, mostReads, make) => {
    const { value, reads } = counted(make);
    const { data } = await caller(toolOf(() => value))();
    expect(JSON.stringify(data).length).toBeLessThan(60_000);
    expect(reads()).toBeLessThan(mostReads);
  });

  it.each<[string, () => unknown]>([
    ["an array of holes", () => new Array(2 ** 32 - 1)],
    ["one text in many places", () => new Array(1_000_000).fill("x".repeat(1_000_000))],
    ["an object of many keys", () => Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`key${index}`, index]))],
  ])("is cut with a note: %s", async (_kind, make) => {
    const value = make();
    expect(JSON.stringify((await caller(toolOf(() => value))()).data).includes("left out")).toBe(true);
  });

  it.each<[string, () => unknown]>([
    ["a typed array", () => new Float64Array(10_000_000)],
    ["bytes", () => Buffer.alloc(100_000_000)],
  ])("is cut with a note in a log entry: %s", (_kind, make) => {
    expect(JSON.stringify(normalise(make())).includes("left out")).toBe(true);
  });

  it("shows the first entries whole, and says that more are left out", () => {
    const rows = Array.from({ length: 100_000 }, (_, id) => new Entity({ id, name: `row ${id}` }));
    const shown = normalise(rows) as unknown[];
    expect(shown.slice(0, 100)).toEqual(Array.from({ length: 100 }, (_, id) => ({ id, name: `row ${id}` })));
    expect(shown.at(-1)).toBe("[left out: the result is too large]");
  });

  it("shows what stands beside a text that is too long", () => {
    const shown = normalise({ html: "x".repeat(50_000_000), title: "Orders", at: new Date(0) }) as Record<string, string>;
    expect(shown.html?.replace(/^x+/, "")).toMatch(/^\[\.\.\. \d+ of 50000000 characters left out here \.\.\.\]$/);
    expect([shown.title, shown.at]).toEqual(["Orders", "1970-01-01T00:00:00.000Z"]);
  });

  it("gives the faults of its first items", async () => {
    const list = Array.from({ length: 200_000 }, (_, index) => index);
    const executor = new ToolExecutor({ tools: [toolOf(() => list, { outputSchema: { type: "array", items: { type: "string" } } })] });
    await expect(executor.run("big", {})).rejects.toMatchObject({ issues: { length: 1_000 } });
  });
});

describe("a result that fits its cap", () => {
  it.each<[string, () => unknown]>([
    ["empty entities", () => Array.from({ length: 16_000 }, () => new Entity({}))],
    ["empty lists and a date", () => [new Date(0), ...Array.from({ length: 16_000 }, () => [])]],
    ["many small numbers", () => new Set(Array.from({ length: 9_000 }, (_, index) => index))],
    ["an object of many keys", () => new Entity(Object.fromEntries(Array.from({ length: 4_000 }, (_, index) => [`k${index}`, 1])))],
    ["a text", () => new Entity({ text: "x".repeat(49_000) })],
  ])("comes out unchanged: %s", async (_kind, make) => {
    const { data } = await caller(toolOf(make))();
    expect(JSON.stringify(data)).toBe(JSON.stringify(make() instanceof Set ? [...(make() as Set<unknown>)] : make()));
  });

  it("is read once, not once more to be measured", async () => {
    const { value, reads } = counted((read) =>
      Array.from({ length: 400 }, () => ({
        get a() {
          read();
          return [{}, {}];
        },
      })),
    );
    await caller(toolOf(() => value))();
    expect(reads()).toBe(400);
  });

  it("repeats what is shared", async () => {
    const shared = new Entity({ at: new Date(0) });
    expect((await caller(toolOf(() => [shared, { shared }]))()).data).toEqual([
      { at: "1970-01-01T00:00:00.000Z" },
      { shared: { at: "1970-01-01T00:00:00.000Z" } },
    ]);
  });

  it("reaches code whole, even a text of 20 million characters beside a listener", async () => {
    const text = `{"a":"${"x".repeat(20_000_000)}`;
    const records: ToolCallRecord[] = [];
    const executor = new ToolExecutor({ tools: [toolOf(() => text)], listeners: [{ toolFinished: (record) => records.push(record) }] });
    expect(await executor.run("big", {})).toBe(text);
    expect(String(records[0]?.result.data).length).toBeLessThanOrEqual(1_000_100);
  });
});
