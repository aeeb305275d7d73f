import { createTool } from "toolwright";
import { createRunScope, ToolExecutor, validateToolArgs } from "toolwright/execution";
import { toProviderTools } from "toolwright/provider-tools";
import { nested, record, times } from "./build.mjs";
import { checkWords } from "./named-errors.mjs";
import { patternParts } from "./text-pieces.mjs";

/** Characters of JSON: what an MCP server may send of a definition, and what the executor takes of a call's arguments. */
const schemaCap = 64_000;
export const argumentsCap = 256 * 1_024;

const object = (properties, more = {}) => ({ type: "object", properties, ...more });
/** As many items as fit into the arguments' cap. */
const fill = (share, make) => {
  const items = [];
  const room = argumentsCap * share * 0.95;
  for (let used = 0, index = 0; used < room; index++) {
    const item = make(index);
    items.push(item);
    used += JSON.stringify(item).length + 1;
  }
  return items;
};
const filled = (share, piece) => piece.repeat(Math.floor((argumentsCap * share * 0.95) / piece.length));

/** A schema for the parameter `v`, and its value. `share` is of both caps. */
const pairs = {
  enumOfObjects: (_, share) => [
    { type: "array", items: { enum: times(1_000 * share, (index) => ({ a: index, b: "x" })) } },
    fill(share, (index) => ({ a: -index, b: "x" })),
  ],
  enumOfLists: (_, share) => [
    { items: { enum: times(1_500 * share, (index) => [[index], [index]]) } },
    fill(share, (index) => [[index], [-1]]),
  ],
  enumOfTexts: (_, share) => [
    { items: { enum: times(4_000 * share, (index) => `value ${index}`) } },
    fill(share, (index) => `other ${index}`),
  ],
  deepConst: (_, share) => [
    { items: { const: nested(80, 1, (value) => ({ a: value, b: [1] })) } },
    fill(share, () => nested(80, 2, (value) => ({ a: value, b: [1] }))),
  ],
  defaultOfKeys: (_, share) => [
    { items: object({ a: { default: record(1_000 * share, (index) => [`key${index}`, index]) } }) },
    fill(share, () => ({})),
  ],
  deepDefaults: (_, share) => [
    nested(20, {}, (inner) => ({ items: object({ a: { default: times(200 * share, (index) => index) }, b: inner }) })),
    fill(share, () => ({})),
  ],
  manyDefaults: (_, share) => [
    { items: object(record(1_500 * share, (index) => [`d${index}`, { default: index }])) },
    fill(share, () => ({})),
  ],
  patternProperties: (_, share) => [
    { patternProperties: record(500 * share, (index) => [`^(a|b)*${index}$`, { type: "integer" }]) },
    Object.fromEntries(fill(share, (index) => [`${"ab".repeat(20)}${index}`, 1])),
  ],
  propertyNames: (_, share) => [
    { propertyNames: { anyOf: times(100 * share, (index) => ({ pattern: `(a|aa)+${index}` })) } },
    Object.fromEntries(fill(share, (index) => [`${"a".repeat(200)}${index}`, 1])),
  ],
  uniqueObjects: (_, share) => [{ uniqueItems: true }, fill(share, (index) => ({ a: { b: [index] } }))],
  uniqueNumbers: (_, share) => [{ uniqueItems: true }, fill(share, (index) => index)],
  uniqueAlmostEqual: (_, share) => [{ uniqueItems: true }, fill(share, (index) => ({ text: "x".repeat(50), index }))],
  contains: (_, share) => [
    { contains: { enum: times(800 * share, (index) => ({ a: index })) }, minContains: 5 },
    fill(share, () => ({ a: -1 })),
  ],
  anyOfPatterns: (_, share) => [{ anyOf: times(50 * share, (index) => ({ pattern: `^(a|a?)+${index}$` })) }, filled(share, "a")],
  oneOfObjects: (_, share) => [
    { items: { oneOf: times(300 * share, (index) => object({ kind: { enum: [`k${index}`, "all"] }, a: { type: "integer" } })) } },
    fill(share, () => ({ kind: "all", a: "x" })),
  ],
  anyOfNested: (_, share) => [
    nested(14 * share, { type: "integer" }, (inner) => ({ anyOf: [object({ a: inner }), object({ a: inner })] })),
    nested(14, "x", (value) => ({ a: value })),
  ],
  references: (_, share) => [
    {
      $ref: "#/$defs/d0",
      $defs: record(25 * share, (index) => [
        `d${index}`,
        { anyOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] },
      ]),
    },
    1,
    true,
  ],
  referencesWithEnd: (_, share) => {
    const count = Math.max(2, Math.floor(30 * share));
    const defs = record(count, (index) => [
      `d${index}`,
      index === count - 1 ? { type: "integer" } : { allOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] },
    ]);
    return [{ items: { $ref: "#/$defs/d0" }, $defs: defs }, fill(share, () => 1)];
  },
  longChain: (_, share) => {
    const count = Math.max(2, Math.floor(1_200 * share));
    return [
      {
        items: { $ref: "#/$defs/d0" },
        $defs: record(count, (index) => [`d${index}`, index === count - 1 ? { type: "integer" } : { $ref: `#/$defs/d${index + 1}` }]),
      },
      fill(share, () => 1),
    ];
  },
  recursion: (_, share) => [
    {
      $ref: "#/$defs/node",
      $defs: { node: object({ left: { $ref: "#/$defs/node" }, right: { anyOf: [{ $ref: "#/$defs/node" }, { type: "null" }] } }) },
    },
    nested(14 * share, {}, (value) => ({ left: value, right: value })),
  ],
  recursiveUnion: (_, share) => [
    {
      $ref: "#/$defs/n",
      $defs: { n: { anyOf: times(40, (index) => object({ [`k${index % 3}`]: { $ref: "#/$defs/n" } }, { additionalProperties: false })) } },
    },
    nested(60 * share, 1, (value) => ({ k0: value })),
  ],
  dynamicReferences: (_, share) => [
    { $dynamicAnchor: "n", properties: { a: { $dynamicRef: "#n" }, b: { $dynamicRef: "#n" } }, unevaluatedProperties: false },
    nested(12 * share, {}, (value) => ({ a: value, b: value })),
  ],
  unevaluated: (_, share) => [
    { items: { allOf: times(100 * share, (index) => object({ [`a${index}`]: {} })), unevaluatedProperties: false } },
    fill(share, (index) => ({ [`a${index % 100}`]: 1, z: 1 })),
  ],
  conditions: (_, share) => [
    {
      items: {
        allOf: times(300 * share, (index) => ({
          if: object({ a: { const: index } }, { required: ["a"] }),
          // biome-ignore lint/suspicious/noThenProperty: JSON Schema's keyword
          then: { required: [`b${index}`] },
        })),
      },
    },
    fill(share, (index) => ({ a: index % 300 })),
  ],
  nots: (_, share) => [{ items: nested(60 * share, { type: "integer" }, (inner) => ({ not: inner })) }, fill(share, () => "x")],
  dependents: (_, share) => [
    { items: { dependentSchemas: record(400 * share, (index) => [`k${index}`, { required: [`r${index}`] }]) } },
    fill(share, (index) => record(20, (at) => [`k${(index + at) % 400}`, 1])),
  ],
  required: (_, share) => [{ items: { required: times(3_000 * share, (index) => `required number ${index}`) } }, fill(share, () => ({}))],
  closedProperties: (_, share) => [
    {
      items: object(
        record(1_500 * share, (index) => [`property${index}`, {}]),
        { additionalProperties: false },
      ),
    },
    fill(share, (index) => ({ [`propertx${index}`]: 1 })),
  ],
  longNames: (_, share) => [
    { additionalProperties: false, properties: record(20 * share, (index) => [`${"n".repeat(2_500)}${index}`, {}]) },
    Object.fromEntries(times(100 * share, (index) => [`${"n".repeat(2_400)}x${index}`, 1])),
  ],
  codePoints: (_, share) => [{ items: { minLength: 500, maxLength: 500 } }, fill(share, () => "😀".repeat(500))],
  manyLengths: (_, share) => [{ allOf: times(1_500 * share, (index) => ({ maxLength: 10 + index })) }, filled(share, "😀")],
  formats: (random, share) => [
    {
      items: {
        format: random.pick([
          "email",
          "uri",
          "date-time",
          "ipv6",
          "hostname",
          "idn-hostname",
          "iri",
          "uuid",
          "regex",
          "json-pointer",
          "uri-template",
          "duration",
        ]),
      },
    },
    fill(share, () => random.text(2_000, ["a", ".", "@", "-", ":", "/", "1", "{", "%"])),
  ],
  longFormat: (random, share) => [
    {
      format: random.pick([
        "email",
        "uri",
        "date-time",
        "ipv6",
        "hostname",
        "idn-hostname",
        "iri",
        "regex",
        "json-pointer",
        "uri-template",
        "duration",
        "time",
      ]),
    },
    random.text(
      argumentsCap * share * 0.9,
      random.list(3, () => random.pick(["a", ".", "@", "-", ":", "/", "1", "{", "%", "(", "[", "😀"])),
    ),
  ],
  multiples: (_, share) => [
    { items: { allOf: times(800 * share, (index) => ({ multipleOf: 0.01 * (index + 1) })) } },
    fill(share, (index) => index / 100),
  ],
  repairs: (_, share) => [
    { items: { anyOf: [{ type: "integer" }, { type: "boolean" }, { type: "array", items: { type: "integer" } }] } },
    fill(share, (index) => JSON.stringify([String(index)])),
  ],
  repairedLists: (_, share) => [
    nested(8, { type: "integer" }, (inner) => ({ type: "array", items: inner })),
    nested(8, 1, (value) => JSON.stringify([value])),
    share,
  ],
  tuples: (_, share) => [
    { items: { prefixItems: times(800 * share, () => ({ type: "integer" })), items: false } },
    fill(share, () => times(300, () => "x")),
  ],
  deepSchema: (_, share) => [nested(2_500 * share, { type: "integer" }, (inner) => ({ items: inner })), nested(90, 1, (value) => [value])],
  deepProperties: (_, share) => [
    nested(1_500 * share, { type: "integer" }, (inner) => object({ a: inner }, { required: ["a"] })),
    nested(90, {}, (value) => ({ a: value })),
  ],
  manyTitles: (_, share) => [
    object(record(700 * share, (index) => [`p${index}`, { type: "string", title: "t".repeat(20), description: "d".repeat(20) }])),
    {},
  ],
  composed: (random, share) => [composed(random, 5, share), valueFor(random, share)],
  composedItems: (random, share) => [
    { items: composed(random, 4, share) },
    times(random.integer(1, 3_000) * share, () => valueFor(random, 0.002)),
  ],
};

/** A schema of random keywords, a few of which multiply the work. */
function composed(random, depth, share) {
  if (depth === 0)
    return random.pick([
      { type: "integer" },
      { type: "string", pattern: pattern(random) },
      { enum: [1, "a", [1], { a: 1 }] },
      { const: { a: 1 } },
      true,
      { format: "email" },
    ]);
  const inner = () => composed(random, depth - 1, share);
  const some = (most) => random.list(random.integer(1, Math.max(1, Math.floor(most * share))), inner);
  return random.pick([
    () => ({ anyOf: some(12) }),
    () => ({ oneOf: some(8) }),
    () => ({ allOf: some(8) }),
    () => ({ not: inner() }),
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema's keyword
    () => ({ if: inner(), then: inner(), else: inner() }),
    () =>
      object(
        Object.fromEntries(some(8).map((schema, index) => [`abcdefgh`[index] ?? "z", schema])),
        random.pick([{}, { additionalProperties: false }, { unevaluatedProperties: false }, { required: ["a", "b"] }]),
      ),
    () => ({ items: inner(), uniqueItems: random.chance(0.5) }),
    () => ({ contains: inner(), minContains: 2 }),
    () => ({ additionalProperties: inner() }),
    () => ({ patternProperties: { [pattern(random)]: inner() } }),
    () => ({ propertyNames: inner() }),
    () => ({ default: random.list(10, () => ({ a: 1 })), ...inner() }),
  ])();
}

const pattern = (random) => random.list(random.integer(1, 5), () => random.pick(patternParts)).join("");

function valueFor(random, share) {
  const room = Math.max(5, Math.floor(argumentsCap * share));
  return random.pick([
    () => random.text(room * 0.9, ["a", "b", " ", "1"]),
    () => random.list(Math.min(20_000, room / 12), (index) => ({ a: index })),
    () => random.list(Math.min(20_000, room / 12), (index) => String(index)),
    () => nested(Math.min(80, room / 10), 1, (value) => random.pick([{ a: value }, [value], { a: value, b: 1 }])),
    () => Object.fromEntries(random.list(Math.min(10_000, room / 14), (index) => [`a${index}`, index])),
    () => JSON.stringify(random.list(Math.min(10_000, room / 20), (index) => ({ a: String(index) }))),
  ])();
}

/** Definitions stand at the root, where references look for them. */
const shared = ({ $defs }) => ($defs === undefined ? {} : { $defs });

const define = (schema) =>
  createTool(
    "foreign",
    "A tool of a stranger.",
    { type: "object", properties: { v: schema }, additionalProperties: false, ...shared(schema) },
    () => "done",
  );

/** The tool, or nothing if its schema is refused: what that costs, the first door shows. */
function defined(schema) {
  try {
    const tool = define(schema);
    return tool.definition && tool;
  } catch {
    return undefined;
  }
}

/** What is done with a schema from outside, one thing after the other. */
const doors = {
  "taken in": (schema) => () => void define(schema).definition,
  called: (schema, value) => {
    const tool = defined(schema);
    const text = JSON.stringify({ v: value });
    return (
      tool &&
      (async () => {
        const result = await new ToolExecutor({ tools: [tool] }).call({ id: "1", name: "foreign", arguments: text }, createRunScope());
        if ("error" in result) checkWords(result.error);
      })
    );
  },
  validated: (schema, value) => {
    const tool = defined(schema);
    return (
      tool &&
      (() => {
        const { ok, error } = validateToolArgs(tool.parametersSchema, { v: value });
        if (!ok) checkWords(JSON.stringify(error));
      })
    );
  },
  "written for a provider": (schema, _value, random) => {
    const tool = defined(schema);
    const dialect = random.pick(["openai-chat", "openai-responses", "anthropic", "gemini", "bedrock", "mistral"]);
    return tool && (() => void toProviderTools([tool], dialect));
  },
};

/** A shape for each door of each pair of a schema and a value, `undefined` for those beyond the caps. */
export const shapesOf = (makers) =>
  Object.fromEntries(
    Object.entries(makers).flatMap(([name, make]) =>
      Object.entries(doors).map(([door, use]) => [
        `${name}, ${door}`,
        (random, share) => {
          const [schema, value] = make(random, share);
          if (JSON.stringify(schema).length > schemaCap || JSON.stringify(value).length > argumentsCap) return undefined;
          return use(schema, value, random);
        },
      ]),
    ),
  );

export const family = { title: "schemas with arguments", judged: ["processor", "memory"], shapes: shapesOf(pairs) };
