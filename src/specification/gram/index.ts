export { GramError, GramSyntaxError, TypeSignatureError } from "./gram-error.js";
export { type GramOptions, parseGram } from "./parse.js";
export { gramValueOf, plainRecord, plainValue } from "./plain-value.js";
export { printGram } from "./print.js";
export { readTypeSignature } from "./read-signature.js";
export { typeSignatureOf } from "./signature-of-schema.js";
export type * from "./tree.js";
export {
  parametersSchemaOf,
  parseTypeSignature,
  type SignatureParameter,
  type TypeSignature,
  typeSignatureToJSONSchema,
} from "./type-signature.js";
export { printTypeSignature, typeSignaturePath } from "./write-signature.js";
