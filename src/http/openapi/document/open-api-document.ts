import { ToolDefinitionError } from "../../../tool/index.js";
import { type DocumentFile, DocumentFiles, type DocumentSource } from "./document-file.js";
import { decoded, memberOf } from "./read-value.js";
import { isRecord } from "../../../schema/internal.js";
import { ImportWork, shownValue } from "./import-work.js";
import { Refusal } from "../operation/operation-refusal.js";

/** A value of a document, with the file that its references are relative to. */
export interface Part {
  readonly value: unknown;
  readonly file: DocumentFile;
}

/** 3.2 is a superset of 3.1, so it is read as 3.1. */
export type OpenApiVersion = "2.0" | "3.0" | "3.1";

/** A document of one or more files, whose `$ref`s are followed as they are met: a broken one spoils only what uses it. */
export class OpenApiDocument {
  readonly version: OpenApiVersion;
  readonly root: Part;
  readonly work: ImportWork;
  /** The servers that operations name, as they were read. */
  readonly servers = new Map<string, string | Refusal>();
  /** The ends of chains of references, by the object that contains the first one. A cache: no chain is followed twice. */
  readonly #ends = new WeakMap<object, Part | Refusal>();
  readonly #files: DocumentFiles;

  /** `pauses`: whether other work runs between its operations. Throws `ToolDefinitionError` for what is no OpenAPI document. */
  constructor(source: DocumentSource, pauses: boolean) {
    this.work = new ImportWork(pauses);
    this.#files = new DocumentFiles(source);
    const file = this.#files.first;
    this.root = { value: file.content, file };
    this.version = versionOf(file);
  }

  /** What a part stands for: itself, or what its `$ref` leads to, over any number of steps. Throws `Refusal`. */
  follow(part: Part): Part {
    const { value } = part;
    this.work.spend(1, isRecord(value) ? value : undefined);
    if (!isRecord(value) || typeof memberOf(value, "$ref") !== "string") return part;
    const end = this.#ends.get(value) ?? this.#followChain(part);
    if (end instanceof Refusal) throw end;
    return end;
  }

  #followChain(part: Part): Part | Refusal {
    const passed = new Set<object>();
    let end: Part | Refusal = part;
    while (!(end instanceof Refusal) && isRecord(end.value)) {
      const { value, file }: Part = end;
      const known = this.#ends.get(value);
      const reference = memberOf(value, "$ref");
      if (known !== undefined) end = known;
      else if (typeof reference !== "string") break;
      else if (passed.has(value)) {
        end = new Refusal(`the reference "${reference}" leads back to itself. Let it lead to a definition.`);
      } else {
        passed.add(value);
        end = this.#tryTarget(reference, file);
      }
    }
    for (const holder of passed) this.#ends.set(holder, end);
    return end;
  }

  #tryTarget(reference: string, from: DocumentFile): Part | Refusal {
    try {
      return this.#target(reference, from);
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
  }

  /** A member of a part, followed; its value is `undefined` if there is none. */
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
    for (const name of this.work.keysOf(part.value)) yield [name, this.member(part, name)];
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
        throw new Refusal(
          `the reference "${reference}" leads nowhere: the document has no "${token}". Correct it, or add what it stands for.`,
        );
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
      ? `${owner} isn't an OpenAPI document: it has neither "swagger": "2.0" nor "openapi": "3.0.4" or "3.1.1".`
      : `${owner} is written in version ${shownValue(said)} of OpenAPI; 2.0, 3.0 and 3.1 can be read.`,
  );
}
