import { ToolDefinitionError } from "../../tool/index.js";
import { type DocumentFile, DocumentFiles, type DocumentSource } from "./document-file.js";
import { decoded, isRecord, memberOf } from "./foreign.js";
import { Refusal } from "./refusal.js";

/** A value of a document, with the file that its references are relative to. */
export interface Part {
  readonly value: unknown;
  readonly file: DocumentFile;
}

/** 3.2 is read as 3.1, of which it is a superset. */
export type OpenApiVersion = "2.0" | "3.0" | "3.1";

/** A document of one or more files, whose `$ref`s are followed as they are met: a broken one spoils only what uses it. */
export class OpenApiDocument {
  readonly version: OpenApiVersion;
  readonly root: Part;
  readonly #files: DocumentFiles;

  /** Throws `ToolDefinitionError` for what is no OpenAPI document. */
  constructor(source: DocumentSource) {
    this.#files = new DocumentFiles(source);
    const file = this.#files.first;
    this.root = { value: file.content, file };
    this.version = versionOf(file);
  }

  /** What a part stands for: itself, or what its `$ref` leads to, over any number of steps. Throws `Refusal`. */
  follow(part: Part): Part {
    let place = part;
    const passed = new Set<unknown>();
    for (;;) {
      const reference = memberOf(place.value, "$ref");
      if (typeof reference !== "string") return place;
      if (passed.has(place.value)) throw new Refusal(`the reference "${reference}" leads back to itself. Let it lead to a definition.`);
      passed.add(place.value);
      place = this.#target(reference, place.file);
    }
  }

  /** A member of a part, followed; its value is `undefined` where there is none. */
  member(part: Part, name: string): Part {
    return this.follow({ value: memberOf(part.value, name), file: part.file });
  }

  /** The items of a list, each followed. */
  items(part: Part): readonly Part[] {
    return Array.isArray(part.value) ? part.value.map((value: unknown) => this.follow({ value, file: part.file })) : [];
  }

  /** The members of an object by name, each followed. */
  *members(part: Part): Iterable<readonly [name: string, member: Part]> {
    if (!isRecord(part.value)) return;
    for (const name of Object.keys(part.value)) yield [name, this.member(part, name)];
  }

  #target(reference: string, from: DocumentFile): Part {
    const [path = "", pointer = ""] = reference.split("#", 2);
    const file = path === "" ? from : this.#files.find(path, from);
    if (pointer !== "" && !pointer.startsWith("/")) {
      throw new Refusal(`the reference "${reference}" names an anchor. Write the way to it: "#/components/schemas/Name".`);
    }
    let value = file.content;
    for (const token of pointer.split("/").slice(1)) {
      value = childOf(value, decoded(token).replaceAll("~1", "/").replaceAll("~0", "~"));
      if (value === undefined) {
        throw new Refusal(`the reference "${reference}" leads nowhere: there is no "${token}". Correct it, or add what it stands for.`);
      }
    }
    return { value, file };
  }
}

const childOf = (value: unknown, key: string): unknown =>
  Array.isArray(value) ? value[/^\d+$/.test(key) ? Number(key) : -1] : memberOf(value, key);

function versionOf({ content, path }: DocumentFile): OpenApiVersion {
  const owner = `openApiToolbox: ${path ?? "the document"}`;
  const swagger = memberOf(content, "swagger");
  const version = memberOf(content, "openapi");
  // Unquoted, YAML makes numbers of them.
  if (swagger === "2.0" || swagger === 2) return "2.0";
  if (/^3\.0(\.|$)/.test(String(version)) || version === 3) return "3.0";
  if (/^3\.[12](\.|$)/.test(String(version))) return "3.1";
  const said = swagger === undefined ? version : swagger;
  throw new ToolDefinitionError(
    said === undefined
      ? `${owner} is no OpenAPI document: it says neither "swagger": "2.0" nor "openapi": "3.0.4" or "3.1.1".`
      : `${owner} is written in version ${JSON.stringify(said)} of OpenAPI; 2.0, 3.0 and 3.1 can be read.`,
  );
}
