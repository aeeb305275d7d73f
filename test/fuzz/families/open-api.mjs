import { loadOpenApiToolbox, openApiToolbox } from "toolwright/http";
import { nested, record, times } from "./build.mjs";
import { checkWords } from "./named-errors.mjs";
import { hostilePieces } from "./text-pieces.mjs";

/** Bytes of a document. */
const cap = 1_000_000;

const operation = (more = {}) => ({ responses: { 200: { description: "Done." } }, ...more });
const withBody = (schema, more = {}) => operation({ requestBody: { content: { "application/json": { schema } } }, ...more });
const documentOf = (paths, components = {}) => ({
  openapi: "3.1.0",
  info: { title: "Fuzzed", version: "1" },
  servers: [{ url: "https://api.example.com/v1" }],
  paths,
  components,
});
const reference = (name) => ({ $ref: `#/components/schemas/${name}` });

/** Documents of about `size` bytes. */
const documents = {
  operations: (_, size) => documentOf(record(size / 90, (index) => [`/p${index}`, { get: operation({ operationId: `get${index}` }) }])),
  sameNames: (_, size) => documentOf(record(size / 90, (index) => [`/p${index}`, { get: operation({ operationId: "same" }) }])),
  similarNames: (_, size) =>
    documentOf(
      record(size / 150, (index) => [`/p${index}`, { get: operation({ operationId: `${"get-the-thing ".repeat(5)}${index % 7}` }) }]),
    ),
  noNames: (_, size) =>
    documentOf(
      record(size / 90, (index) => [
        `/a/b-${index % 10}/{c${index}}`,
        { get: operation({ parameters: [{ name: `c${index}`, in: "path", required: true, schema: {} }] }) },
      ]),
    ),
  pathChain: (_, size) => documentOf(record(size / 40, (index) => [`/p${index}`, { $ref: `#/paths/~1p${index + 1}` }])),
  pathFan: (_, size) =>
    documentOf({ "/a": { get: operation() }, ...record(size / 40, (index) => [`/p${index}`, { $ref: "#/paths/~1a" }]) }),
  schemaChain: (_, size) =>
    documentOf(
      { "/a": { post: withBody(reference("s0")) } },
      { schemas: record(size / 60, (index) => [`s${index}`, reference(`s${index + 1}`)]) },
    ),
  schemaFan: (_, size) =>
    documentOf(
      { "/a": { post: withBody(reference("s0")) } },
      {
        schemas: record(Math.min(30, size / 100), (index) => [
          `s${index}`,
          { anyOf: [reference(`s${index + 1}`), reference(`s${index + 1}`)] },
        ]),
      },
    ),
  recursive: (_, size) =>
    documentOf(
      record(size / 400, (index) => [`/p${index}`, { post: withBody(reference(`s${index}`)) }]),
      {
        schemas: record(size / 400, (index) => [
          `s${index}`,
          { type: "object", properties: { a: reference(`s${index + 1}`), b: reference(`s${index}`), c: reference("s0") } },
        ]),
      },
    ),
  everythingReferred: (_, size) =>
    documentOf(
      record(size / 300, (index) => [`/p${index}`, { post: withBody(reference("s0")) }]),
      { schemas: record(size / 300, (index) => [`s${index}`, { type: "object", properties: { next: reference(`s${index + 1}`) } }]) },
    ),
  parameters: (_, size) =>
    documentOf({
      "/a": {
        get: operation({ parameters: times(size / 60, (index) => ({ name: `p${index}`, in: "query", schema: { type: "string" } })) }),
      },
    }),
  referredParameters: (_, size) =>
    documentOf(
      { "/a": { get: operation({ parameters: times(size / 120, (index) => ({ $ref: `#/components/parameters/p${index}` })) }) } },
      { parameters: record(size / 120, (index) => [`p${index}`, { name: `p${index}`, in: "query", schema: {} }]) },
    ),
  placeholders: (_, size) =>
    documentOf({
      [`/${times(size / 80, (index) => `{p${index}}`).join("/")}`]: {
        get: operation({ parameters: times(size / 80, (index) => ({ name: `p${index}`, in: "path", required: true, schema: {} })) }),
      },
    }),
  deepSchema: (_, size) =>
    documentOf({
      "/a": { post: withBody(nested(size / 30, {}, (inner) => ({ type: "array", items: inner }))) },
      "/b": { get: operation() },
    }),
  deepAllOf: (_, size) =>
    documentOf({ "/a": { post: withBody(nested(size / 30, {}, (inner) => ({ allOf: [inner] }))) }, "/b": { get: operation() } }),
  wideSchema: (_, size) =>
    documentOf({
      "/a": { post: withBody({ type: "object", properties: record(size / 40, (index) => [`p${index}`, { type: "string" }]) }) },
    }),
  nullables: (_, size) => ({
    ...documentOf({
      "/a": { post: withBody(nested(Math.min(900, size / 60), {}, (inner) => ({ nullable: true, oneOf: [inner, { type: "string" }] }))) },
    }),
    openapi: "3.0.3",
  }),
  descriptions: (random, size) => documentOf({ "/a": { get: operation({ description: random.pick(hostilePieces).repeat(size / 2) }) } }),
  enums: (_, size) =>
    documentOf({ "/a": { post: withBody({ type: "object", properties: { a: { enum: times(size / 10, (index) => `v${index}`) } } }) } }),
  servers: (_, size) => ({
    ...documentOf({ "/a": { get: operation() } }),
    servers: times(size / 80, (index) => ({ url: `https://{a${index}}.example.com`, variables: { [`a${index}`]: { default: "x" } } })),
  }),
  swagger: (_, size) => ({
    swagger: "2.0",
    info: { title: "Old", version: "1" },
    host: "api.example.com",
    schemes: ["https"],
    paths: record(size / 200, (index) => [
      `/p${index}`,
      { post: operation({ parameters: [{ name: "body", in: "body", schema: { $ref: `#/definitions/d${index}` } }] }) },
    ]),
    definitions: record(size / 200, (index) => [
      `d${index}`,
      { type: "object", properties: { next: { $ref: `#/definitions/d${index + 1}` } } },
    ]),
  }),
  securities: (_, size) => ({
    ...documentOf(
      { "/a": { get: operation({ security: times(size / 60, (index) => ({ [`s${index}`]: [] })) }) } },
      { securitySchemes: record(size / 60, (index) => [`s${index}`, { type: "http", scheme: "bearer" }]) },
    ),
  }),
  random: (random, size) =>
    documentOf(
      record(size / 500, (index) => [
        `/${random.text(random.integer(1, 30), hostilePieces)}${index}`,
        {
          [random.pick(["get", "post", "put", "delete", "trace", "x"])]: random.pick([
            null,
            1,
            [],
            operation({ operationId: random.text(20, hostilePieces) }),
            withBody(randomSchema(random, 4)),
            operation({
              parameters: [
                randomSchema(random, 2),
                null,
                {
                  name: random.pick(hostilePieces),
                  in: random.pick(["query", "header", "cookie", "path", "body"]),
                  schema: randomSchema(random, 2),
                },
              ],
            }),
          ]),
        },
      ]),
      { schemas: record(20, (index) => [`s${index}`, randomSchema(random, 3)]) },
    ),
};

function randomSchema(random, depth) {
  if (depth === 0 || random.chance(0.2))
    return random.pick([
      { type: "string" },
      reference(`s${random.integer(0, 20)}`),
      { $ref: "#/paths" },
      { $ref: 1 },
      null,
      true,
      {},
      { enum: [] },
      { type: "file" },
    ]);
  const inner = () => randomSchema(random, depth - 1);
  return random.pick([
    () => ({ allOf: [inner(), inner()] }),
    () => ({ type: "object", properties: { a: inner(), b: inner() }, discriminator: { propertyName: "a" } }),
    () => ({ items: inner(), nullable: true }),
    () => ({ oneOf: [inner(), inner()], anyOf: [inner()] }),
    () => ({ additionalProperties: inner(), example: inner() }),
  ])();
}

/** Both ways to import. The first one refuses by name what would hold up the process. */
const doors = { "at once": openApiToolbox, "with pauses": loadOpenApiToolbox };

export const family = {
  title: "OpenAPI documents",
  judged: ["block", "growth", "memory"],
  shapes: Object.fromEntries(
    Object.entries(documents).flatMap(([name, write]) =>
      Object.entries(doors).map(([door, load]) => [
        `${name}, ${door}`,
        (random, share) => {
          const document = write(random, cap * share);
          return async () => {
            const toolbox = await load(document, { baseUrl: "https://api.example.com/v1" });
            for (const { reason } of toolbox.refused.slice(0, 100)) checkWords(reason);
          };
        },
      ]),
    ),
  ),
};
