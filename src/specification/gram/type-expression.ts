import { Lexer } from "./lexer.js";

/** A type as signatures write it (seed 001, "Type Mapping"): `Text`, `Maybe Int`, `[Text]`, `{name: Text, tags: [Text]}`. */
export type TypeExpression =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "maybe"; readonly of: TypeExpression }
  | { readonly kind: "list"; readonly of: TypeExpression }
  | { readonly kind: "record"; readonly fields: readonly { readonly name: string; readonly type: TypeExpression }[] };

/** Reads a text that is one type and nothing else; throws `GramSyntaxError`. */
export function parseTypeExpression(text: string): TypeExpression {
  const lexer = new Lexer(text);
  const type = readTypeExpression(lexer);
  if (lexer.peek() !== "") lexer.fail(["the end of the type"]);
  return type;
}

export function readTypeExpression(lexer: Lexer): TypeExpression {
  return lexer.nested(() => {
    if (lexer.take("[")) {
      const of = readTypeExpression(lexer);
      lexer.require("]");
      return { kind: "list", of };
    }
    if (lexer.peek() === "{") return readRecord(lexer);
    const name = lexer.takeSymbol() ?? lexer.fail(["a type"]);
    return name === "Maybe" ? { kind: "maybe", of: readTypeExpression(lexer) } : { kind: "name", name };
  });
}

function readRecord(lexer: Lexer): TypeExpression {
  const fields: { name: string; type: TypeExpression }[] = [];
  lexer.require("{");
  if (lexer.take("}")) return { kind: "record", fields };
  do {
    const name = lexer.takeSymbol() ?? lexer.fail(["the name of a field"]);
    if (lexer.takeSeparator() === undefined) lexer.fail(['":"']);
    fields.push({ name, type: readTypeExpression(lexer) });
  } while (lexer.take(","));
  lexer.require("}", '","');
  return { kind: "record", fields };
}
