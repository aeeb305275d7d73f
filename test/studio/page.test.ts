import { editableJson, visibleText } from "../../src/studio/page/shared/hidden-characters.js";
import { draftOf, fieldsOf, readDraft, textIn } from "../../src/studio/page/tools/draft.js";

describe("the form of a tool", () => {
  const names = ["constructor", "toString", "__proto__"];
  const fields = fieldsOf({ type: "object", properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])) });

  it("has empty fields for parameters that are named as members of each object", () => {
    expect(fields.map(({ name }) => textIn({}, name))).toEqual(["", "", ""]);
    expect(readDraft(fields, {})).toEqual({ value: {}, faults: {} });
  });

  it("keeps the arguments of such parameters", () => {
    const given = JSON.parse('{ "constructor": "a", "toString": "b", "__proto__": "c" }');
    expect(JSON.stringify(readDraft(fields, draftOf(fields, given)).value)).toBe(JSON.stringify(given));
  });

  it("names a field whose text isn't JSON, whatever its name is", () => {
    const [field] = fieldsOf({ type: "object", properties: JSON.parse('{ "__proto__": { "type": "object" } }') });
    const { faults } = readDraft(field === undefined ? [] : [field], JSON.parse('{ "__proto__": "{" }'));
    expect(Object.entries(faults)).toEqual([["__proto__", expect.stringContaining("isn't JSON")]]);
  });
});

describe("characters that can't be seen", () => {
  it("are codes in a text", () => {
    expect(visibleText("pay \u202ekcab")).toBe("pay U+202Ekcab");
  });

  it("are escapes in arguments to edit, which stay what they are", () => {
    const given = { payee: "bank \u202elive\u{e0041}", note: "two\nlines" };
    const text = editableJson(given);
    expect(text).toBe('{\n  "payee": "bank \\u202elive\\udb40\\udc41",\n  "note": "two\\nlines"\n}');
    expect(JSON.parse(text)).toEqual(given);
  });
});
