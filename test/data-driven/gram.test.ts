import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type JsonSchema, SchemaError } from "../../src/schema/index.js";
import {
  GramSyntaxError,
  parametersSchemaOf,
  parseGram,
  parseTypeSignature,
  printGram,
  printTypeSignature,
  typeSignatureOf,
  typeSignatureToJSONSchema,
} from "../../src/specification/gram/index.js";
import { describeData, readJson, readJsonLines } from "../support/data.js";
import { treeSitterShape, withoutSpans } from "../support/gram.js";

interface GramCase {
  readonly id: string;
  readonly text: string;
  readonly expect: "accept" | "reject";
  /** The tree that the reference grammar makes of the text, where it accepts it. */
  readonly sexp?: string;
}

/** What the shapes leave out: comments, how names are quoted, and whether a string is empty. */
const comparable = (sexp: string): string =>
  sexp
    .replaceAll(" (comment)", "")
    .replaceAll(/\((string_literal|quoted_name|double_quoted_name) content: \(string_content\)\)/g, "($1)")
    .replaceAll(/(identifier|key|labels): \((?:symbol|quoted_name|double_quoted_name|integer)\)/g, "$1: (name)")
    .replaceAll(/\(labels( \((?:symbol|quoted_name)\))+\)/g, (labels) => labels.replaceAll(/\((?:symbol|quoted_name)\)/g, "(name)"))
    .replaceAll(/(tagged_string tag: \(symbol\)) content: \(string_content\)/g, "$1");

describeData(["gram/cases.json"], (path) => {
  const cases = readJson<readonly GramCase[]>(path);

  describe.each(cases.filter(({ expect }) => expect === "accept"))("accepts $id", ({ text, sexp }) => {
    const tree = parseGram(text);

    it("and prints it as a text that is read as the same tree", () => {
      const printed = printGram(tree);
      expect(withoutSpans(parseGram(printed))).toEqual(withoutSpans(tree));
      expect(printGram(parseGram(printed))).toBe(printed);
    });

    if (sexp !== undefined) {
      it("as the tree that the reference grammar makes of it", () => {
        expect(treeSitterShape(tree)).toBe(comparable(sexp));
      });
    }
  });

  it.each(cases.filter(({ expect }) => expect === "reject"))("refuses $id", ({ text }) => {
    expect(() => parseGram(text)).toThrow(GramSyntaxError);
  });
});

describeData(["gram/files"], (folder) => {
  it.each(readdirSync(folder).filter((name) => name.endsWith(".gram")))("%s is read, printed and read again", (name) => {
    const tree = parseGram(readFileSync(join(folder, name), "utf8"));
    expect(withoutSpans(parseGram(printGram(tree)))).toEqual(withoutSpans(tree));
  });

  it.each(["helloAgent", "helloGoodbyeAgent", "spec003-helloAgent", "spec003-sayHello"])("%s.gram is printed as it was written", (name) => {
    const text = readFileSync(join(folder, `${name}.gram`), "utf8");
    expect(printGram(parseGram(text))).toBe(text.trimEnd());
  });
});

describeData(["gram/signature-schema.json"], (path) => {
  it.each(readJson<readonly { readonly signature: string; readonly schema: JsonSchema }[]>(path))(
    'seed 001, "typeSignatureToJSONSchema": $signature',
    ({ signature, schema: written }) => {
      // An empty list says nothing, and older drafts of JSON Schema forbid it.
      const schema = written.required?.length === 0 ? { ...written, required: undefined } : written;
      expect(typeSignatureToJSONSchema(signature)).toEqual({ ok: true, value: schema });
      const parsed = parseTypeSignature(signature);
      expect(parsed.ok && typeSignatureToJSONSchema(printTypeSignature(parsed.value))).toEqual({ ok: true, value: schema });
    },
  );
});

describeData(["tools.jsonl"], (path) => {
  const tools = readJsonLines<{ readonly id: string; readonly schema: JsonSchema }>(path);

  it("the schemas of real tools say the same as type signatures, but for those that no signature can say", () => {
    const refused: string[] = [];
    for (const { id, schema } of tools) {
      try {
        const signature = typeSignatureOf(schema);
        const again = parseTypeSignature(printTypeSignature(signature));
        if (!again.ok) throw new Error(`${id}: ${again.error}`);
        expect(again.value).toEqual(signature);
        const { $schema, additionalProperties, ...rest } = schema;
        const { required = [], ...written } = parametersSchemaOf(again.value);
        expect({ ...written, required }).toEqual({ ...rest, properties: rest.properties ?? {}, required: expect.any(Array) });
        expect(required.toSorted()).toEqual([...(schema.required ?? [])].sort());
      } catch (error) {
        if (!(error instanceof SchemaError)) throw error;
        refused.push(`${id}: ${error.message}`);
      }
    }
    expect(refused.length).toBeLessThan(tools.length / 20);
  }, 60_000);
});
