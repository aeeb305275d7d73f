import { createTool, type JsonSchema } from "../../src/index.js";
import { toProviderTools } from "../../src/models/provider-tools/index.js";

const formOf = (schema: JsonSchema, $defs: Record<string, JsonSchema>, form: "openai-chat" | "gemini"): string =>
  JSON.stringify(
    toProviderTools(
      [createTool("t", "Takes v.", { type: "object", properties: { v: schema }, additionalProperties: false, $defs }, () => "done")],
      form,
    ),
  );
const chain = (count: number, link: (next: JsonSchema) => JsonSchema): Record<string, JsonSchema> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `d${index}`,
      index === count - 1 ? { type: "integer" } : link({ $ref: `#/$defs/d${index + 1}` }),
    ]),
  );

describe("a provider's form of a schema with references", () => {
  // Without visiting each definition once, these are a billion ways.
  it.each(["openai-chat", "gemini"] as const)("visits a definition once to which many ways lead: %s", (form) => {
    const $defs = chain(30, (next) => ({ allOf: [next, next] }));
    expect(formOf({ $ref: "#/$defs/d0" }, $defs, form)).toMatch(/"type":"integer"/i);
  });

  it("gives definitions of one name names of their own", () => {
    const schemas = Object.fromEntries<JsonSchema>(
      ["a", "b", "c"].map((group) => [group, { $defs: { same: { type: "object", title: group } } }]),
    );
    const properties = Object.fromEntries(["a", "b", "c"].map((group) => [group, { $ref: `#/$defs/${group}/$defs/same` }]));
    const written = formOf({ type: "object", properties }, schemas, "openai-chat");
    for (const name of ["same", "same_2", "same_3"]) expect(written).toContain(`"#/$defs/${name}"`);
  });
});
