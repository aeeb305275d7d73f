import { Lexer } from "../lexer.js";

/** A type as signatures write it: `Text`, `Maybe Int`, `[Text]`, `{name: Text, tags: [Text]}`. */
export type TypeExpression =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "maybe"; readonly of: TypeExpression }
  | { readonly kind: "list"; readonly of: TypeExpression }
  | { readonly kind: "record"; readonly fields: readonly { readonly name: string; readonly type: TypeExpression }[] };

/** The type that a text is and nothing else; undefined if it is none. */
export function typeExpressionOf(text: string): TypeExpression | undefined {
  const lexer = new Lexer(text);
  const type = lexer.attempt(() => readTypeExpression(lexer));
  return lexer.peek() === "" ? type : undefined;
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

/** Goes past `Maybe` and a type, and gives the type's text. Nothing if none follows, or a record that holds values: `Maybe {default: 1}`. */
export function takeMaybe(lexer: Lexer): string | undefined {
  const start = lexer.position;
  const isMaybe = lexer.takeSymbol() === "Maybe";
  const next = lexer.peek();
  const from = lexer.position;
  if (isMaybe && /[a-zA-Z_[]/.test(next)) readTypeExpression(lexer);
  else if (!isMaybe || next !== "{" || lexer.attempt(() => readTypeExpression(lexer)) === undefined) {
    lexer.position = start;
    return undefined;
  }
  return lexer.text.slice(from, lexer.position);
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
