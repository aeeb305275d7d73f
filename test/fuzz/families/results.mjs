import { createTool } from "toolwright";
import { createRunScope, modelText, ToolExecutor } from "toolwright/execution";
import { toAiSdkTools } from "toolwright/ai-sdk";
import { checkWords } from "./named-errors.mjs";
import { hostilePieces } from "./text-pieces.mjs";

class Entity {
  constructor(members) {
    Object.assign(this, members);
  }
}

/** A pair that is shared again at each of `levels`. */
const pairs = (levels, leaf, make) => {
  let value = leaf;
  for (let level = 0; level < levels; level++) value = make(value);
  return value;
};

/** Graphs of about `size` objects, or `size` times some bytes: a tool's result is its author's, so nothing limits it but memory. */
const graphs = {
  entities: (_, size) => {
    const customer = new Entity({ name: "Ada" });
    customer.orders = Array.from({ length: Math.max(1, size / 5_000) }, (_, index) => new Entity({ id: index, customer }));
    for (const order of customer.orders) order.lines = Array.from({ length: 20 }, (_, index) => new Entity({ index, order, customer }));
    return customer;
  },
  friends: (random, size) => {
    const people = Array.from({ length: Math.max(2, size / 1_000) }, (_, index) => new Entity({ index }));
    for (const person of people) person.friends = people.filter(() => random.chance(0.5));
    return people;
  },
  listPairs: (random, size) => pairs(Math.max(20, size / 100), "x", (value) => [value, value]),
  objectPairs: (_, size) => pairs(Math.max(20, size / 100), { a: 1 }, (value) => ({ a: value, b: value })),
  mapPairs: (_, size) =>
    pairs(
      Math.max(20, size / 100),
      1,
      (value) =>
        new Map([
          ["a", value],
          ["b", value],
        ]),
    ),
  setOfPairs: (_, size) => pairs(Math.max(20, size / 100), 1, (value) => new Set([[value], [value]])),
  errorPairs: (_, size) =>
    pairs(Math.max(20, size / 1_000), 1, (value) => Object.assign(new Error("e", { cause: value }), { other: value })),
  deepList: (_, size) => pairs(size, 1, (value) => [value]),
  deepObject: (_, size) => pairs(size, 1, (value) => ({ a: value })),
  deepCauses: (_, size) => pairs(size / 10, undefined, (value) => new Error("again", { cause: value })),
  wideObject: (_, size) => Object.fromEntries(Array.from({ length: size }, (_, index) => [`key${index}`, index])),
  wideList: (_, size) => Array.from({ length: size * 10 }, (_, index) => index),
  holes: (_, size) => new Array(size * 1_000),
  hugeMap: (_, size) => new Map(Array.from({ length: size }, (_, index) => [{ index }, index])),
  hugeSet: (_, size) => new Set(Array.from({ length: size }, (_, index) => `v${index}`)),
  bytes: (_, size) => ({ list: new Float64Array(size * 50) }),
  longText: (random, size) => random.pick(hostilePieces).repeat(size * 10),
  longTexts: (random, size) => Array.from({ length: 100 }, () => random.pick(hostilePieces).repeat(size / 10)),
  longKeys: (random, size) =>
    Object.fromEntries(Array.from({ length: 100 }, (_, index) => [random.pick(hostilePieces).repeat(size / 20) + index, 1])),
  jwts: (_, size) => ({ text: "eyJ-".repeat(size * 5) }),
  headers: (_, size) => "Authorization: ".repeat(size),
  colons: (_, size) => "a: b ".repeat(size * 2),
  urls: (_, size) => "https://a:b@".repeat(size),
  quotedJson: (_, size) => JSON.stringify({ text: JSON.stringify({ password: '"'.repeat(size) }) }),
  passwords: (_, size) => "password=".repeat(size),
  quotes: (_, size) => `"password":"${'\\"'.repeat(size * 4)}`,
  toJsonPairs: (_, size) => pairs(Math.max(20, size / 1_000), 1, (value) => ({ toJSON: () => [value, value] })),
  toJsonForEver: () => {
    const make = () => ({ toJSON: () => ({ next: make() }) });
    return make();
  },
  gettersForEver: () => {
    const make = () => ({
      get next() {
        return make();
      },
      get other() {
        return make();
      },
    });
    return make();
  },
  proxyForEver: () => {
    const make = () =>
      new Proxy(
        {},
        {
          ownKeys: () => ["a", "b"],
          getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
          get: (_, key) => (typeof key === "string" && key.length === 1 ? make() : undefined),
        },
      );
    return make();
  },
  random: (random, size) => {
    const known = [];
    const make = (depth) => {
      if (known.length > 3 && random.chance(0.3)) return random.pick(known);
      if (depth === 0 || random.chance(0.1))
        return random.pick([1, "text", null, undefined, 10n, Number.NaN, new Date(Number.NaN), random.text(50, hostilePieces)]);
      const children = random.list(random.integer(1, 6), () => make(depth - 1));
      const value = random.pick([
        () => children,
        () => Object.fromEntries(children.map((child, index) => [`${random.pick(hostilePieces)}${index}`, child])),
        () => new Map(children.map((child) => [child, child])),
        () => new Set(children),
        () => new Entity({ children, again: children }),
        () => Object.assign(new Error(random.text(30, hostilePieces)), { children }),
      ])();
      known.push(value);
      return value;
    };
    return random.list(Math.max(1, size / 5_000), () => make(7));
  },
};

let current;
const give = createTool("give", "Gives a value.", { type: "object" }, () => current);
const fail = createTool("fail", "Throws a value.", { type: "object" }, () => {
  throw Object.assign(new Error(typeof current === "string" ? current : "failed"), { details: current });
});
const declared = createTool({
  name: "declared",
  description: "Gives a value of a declared shape.",
  inputSchema: { type: "object" },
  outputSchema: { type: "array", items: { type: "object" }, uniqueItems: true },
  execute: () => current,
});
const listener = { toolFinished: (record) => JSON.stringify(record) };
const executor = new ToolExecutor({ tools: [give, fail, declared], listeners: [listener] });
const aiSdk = toAiSdkTools([give, fail, declared]);

/** Each way that a result takes out of the library. */
const doors = {
  executor: async (name) => {
    const result = await executor.call({ id: "1", name, arguments: {} }, createRunScope());
    checkWords(modelText(result));
  },
  code: (name) => executor.run(name, {}),
  aiSdk: async (name) => {
    const output = await aiSdk[name].execute({}, { toolCallId: "1", messages: [] });
    await aiSdk[name].toModelOutput?.({ toolCallId: "1", input: {}, output });
  },
};

export const family = {
  title: "result graphs",
  judged: ["processor", "memory"],
  shapes: Object.fromEntries(
    Object.entries(graphs).flatMap(([name, graph]) =>
      Object.entries(doors).map(([door, use]) => [
        `${name}, ${door}`,
        (random, share) => {
          const value = graph(random, Math.ceil(100_000 * share));
          const tool = random.pick(["give", "give", "fail", "declared"]);
          return async () => {
            current = value;
            await use(tool);
          };
        },
      ]),
    ),
  ),
};
