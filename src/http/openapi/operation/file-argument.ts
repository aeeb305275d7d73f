import type { JsonSchema } from "../../../schema/index.js";
import { HttpError } from "../../http-error.js";
import { memberOf } from "../document/read-value.js";
import type { ConvertedSchema } from "../document/schema-converter.js";

/** What a model gives for a file: models write text, and bytes as base64. */
export const fileSchema = {
  type: "object",
  properties: {
    name: { type: "string", description: "The file's name, such as report.pdf." },
    content: { type: "string", description: "What the file holds." },
    encoding: { type: "string", enum: ["text", "base64"], description: "How content is written: text unless it says base64." },
  },
  required: ["content"],
  additionalProperties: false,
} as const satisfies JsonSchema;

/** The schema of a body that is a file as a whole. */
export const asFile = ({ schema: { description } }: ConvertedSchema): ConvertedSchema => ({
  schema: { ...fileSchema, ...(description === undefined ? {} : { description }) },
  uses: new Set(),
});

export interface FileContent {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The file that an argument (checked against `fileSchema`) describes. Throws `HttpError` for broken base64. */
export function readFileArgument(value: unknown, argument: string): FileContent {
  const content = String(memberOf(value, "content") ?? "");
  const isBase64 = memberOf(value, "encoding") === "base64";
  const compact = content.replace(/\s+/g, "");
  if (isBase64 && !/^[A-Za-z\d+/_-]*={0,2}$/.test(compact)) {
    throw new HttpError(`${argument}: its content isn't base64. Encode the file's bytes, or leave encoding out for text.`);
  }
  const name = memberOf(value, "name");
  return {
    name: typeof name === "string" && name !== "" ? name : "file",
    bytes: Buffer.from(isBase64 ? compact : content, isBase64 ? "base64" : "utf8"),
  };
}
