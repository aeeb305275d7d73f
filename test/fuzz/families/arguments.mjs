import { createTool } from "toolwright";
import { createRunScope, ToolExecutor } from "toolwright/execution";
import { filled } from "./build.mjs";
import { checkWords } from "./named-errors.mjs";
import { hostilePieces } from "./text-pieces.mjs";

/** Characters: what the executor takes of an arguments' text. */
const cap = 256 * 1_024;

const line = {
  type: "object",
  properties: { sku: { type: "string", pattern: "^[A-Z]{2}-\\d+$" }, count: { type: "integer", minimum: 1 }, price: { type: "number" } },
  required: ["sku", "count"],
  additionalProperties: false,
};
const names = Array.from({ length: 60 }, (_, index) => `parameter_number_${index}`);
const tools = [
  createTool(
    "order",
    "Orders lines.",
    {
      type: "object",
      properties: {
        customer: { type: "string", minLength: 1 },
        lines: { type: "array", items: line, uniqueItems: true },
        tags: { type: "array", items: { type: "string", enum: ["new", "old"] } },
        shipping: {
          anyOf: [
            { type: "object", properties: { kind: { const: "post" }, street: { type: "string" } }, required: ["kind", "street"] },
            line,
          ],
        },
        counts: { type: "object", additionalProperties: { type: "integer" } },
      },
      required: ["customer"],
      additionalProperties: false,
    },
    () => "done",
  ),
  createTool(
    "wide",
    "Takes many parameters.",
    {
      type: "object",
      properties: Object.fromEntries(names.map((name) => [name, { type: "string", maxLength: 20 }])),
      additionalProperties: false,
    },
    () => "done",
  ),
  createTool("free", "Takes anything.", { type: "object" }, () => "done"),
];
const executor = new ToolExecutor({ tools });

/** `left`, as many members as fit, `right`. */
const members = (length, left, member, right) => {
  const parts = [];
  for (let used = left.length + right.length, index = 0; used < length; index++) {
    const part = member(index);
    parts.push(part);
    used += part.length + 1;
  }
  return left + parts.join(",") + right;
};
const quoted = (text, times) => (times === 0 ? text : quoted(JSON.stringify(text), times - 1));

/** Texts of about `length` characters. */
const texts = {
  openBrackets: (_, length) => filled("[", length),
  openObjects: (_, length) => filled('{"a":', length),
  alternating: (_, length) => filled('[{"a":', length),
  closingBraces: (_, length) => `{"customer":"a"}${filled("}", length)}`,
  nested: (random) => {
    const levels = random.integer(50, 101);
    return `${'{"a":['.repeat(levels / 2)}1${"]}".repeat(levels / 2)}`;
  },
  backslashes: (_, length) => `{"customer":"${filled("\\", length)}`,
  quotes: (_, length) => filled('"', length),
  singleQuotes: (_, length) => `{'customer': '${filled("\\'", length)}'}`,
  digits: (_, length) => `{"counts":{"a":${filled("9", length)}}}`,
  fraction: (_, length) => `{"counts":{"a":0.${filled("123", length)}}}`,
  exponents: (_, length) => members(length, '{"lines":[', () => "1e999", "]}"),
  blanks: (_, length) => filled(" \n\t\r", length),
  fences: (_, length) => filled("```json\n", length),
  fenceAtEnd: (_, length) => `{"customer":"a"}${filled(" ", length)}\`\`\``,
  prose: (_, length) => `${filled("Here you are: ", length)}{"customer":"a"}`,
  comments: (_, length) => `{${filled("/* a */", length)}"customer":"a"}`,
  openComment: (_, length) => filled("/*", length),
  trailingCommas: (_, length) => `{"customer":"a"${filled(",", length)}}`,
  bareKeys: (_, length) => members(length, "{", (index) => `key${index}: 1`, "}"),
  sameKey: (_, length) => members(length, "{", () => '"customer":"a"', "}"),
  unknownKeys: (_, length) => members(length, "{", (index) => `"k${index}":1`, "}"),
  longUnknownKeys: (random, length) =>
    members(length, "{", (index) => `"${filled("parameter_number_", random.integer(10, 5_000))}${index}":1`, "}"),
  secretKeys: (_, length) => members(length, "{", (index) => `"password_token_secret_${index}":"eyJ-eyJ-"`, "}"),
  protoKeys: (_, length) => members(length, "{", () => '"__proto__":{"a":1}', "}"),
  faults: (_, length) => members(length, '{"lines":[', () => '{"sku":1,"x":2}', "]}"),
  deepFaults: (_, length) => members(length, '{"shipping":[', () => '[{"kind":[]}]', "]}"),
  branches: (_, length) => members(length, '{"shipping":{"kind":"post",', (index) => `"k${index}":{}`, "}}"),
  equalItems: (_, length) => members(length, '{"customer":"a","lines":[', (index) => `{"sku":"AB-${index}","count":1}`, "]}"),
  repairs: (_, length) => members(length, '{"customer":"a","lines":[', (index) => `{"sku":"AB-${index}","count":"${index + 1}"}`, "]}"),
  textOfList: (_, length) =>
    `{"customer":"a","lines":${JSON.stringify(members(length / 2, "[", (index) => `{"sku":"AB-${index}","count":"1"}`, "]"))}}`,
  wrongEnums: (_, length) => members(length, '{"customer":"a","tags":[', (index) => `"t${index}"`, "]}"),
  counts: (_, length) => members(length, '{"customer":"a","counts":{', (index) => `"${index}":"${index}x"`, "}}"),
  quotedOften: (random, length) => {
    const times = random.integer(1, 12);
    return quoted('{"customer":"a"}', times).padEnd(length, " ");
  },
  quotedLong: (_, length) => quoted(`{"customer":"${filled("a", length / 2)}"}`, 2),
  surrogates: (_, length) => `{"customer":"${filled("\ud800", length)}"}`,
  escapedSurrogates: (_, length) => `{"customer":"${filled("\\ud800", length)}"}`,
  pieces: (random, length) => random.text(length, hostilePieces),
  piecesInText: (random, length) => `{"customer":${JSON.stringify(random.text(length, hostilePieces))}}`,
  fewPieces: (random, length) =>
    random.text(
      length,
      random.list(3, () => random.pick(hostilePieces)),
    ),
  damaged: (random, length) => {
    const whole = members(length, '{"customer":"a","lines":[', (index) => `{"sku":"AB-${index}","count":1}`, "]}");
    const place = random.integer(0, whole.length);
    return whole.slice(0, place) + random.text(random.integer(0, 20), hostilePieces) + whole.slice(place + random.integer(0, 20));
  },
};

export const family = {
  title: "argument texts",
  judged: ["processor", "memory"],
  shapes: Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [
      name,
      (random, share) => {
        const written = text(random, Math.floor(cap * share)).slice(0, cap);
        const tool = random.pick(tools);
        return async () => {
          const result = await executor.call({ id: "1", name: tool.identifier, arguments: written }, createRunScope());
          if ("error" in result) checkWords(result.error);
        };
      },
    ]),
  ),
};
