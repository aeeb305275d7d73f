import type * as gram from "../../../src/specification/gram/index.js";
import { parseGram, readTypeSignature } from "../../../src/specification/gram/index.js";
import { type ErrorsOf, type Example, type Examples, errorOf } from "./example.js";

const noGram: Example = () => errorOf(() => parseGram("(order::Text)=>(::String)"));

const noSignature: Example = () => {
  const text = "(order::Txt)==>(::String)";
  return errorOf(() => readTypeSignature(parseGram(text, { typeSignatures: true }), text));
};

/** What who reads gram meets. */
export const gramErrors: Examples<ErrorsOf<typeof gram>> = {
  GramError: [noGram],
  GramSyntaxError: [noGram],
  TypeSignatureError: [noSignature],
};
