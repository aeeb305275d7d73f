import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { ToolDefinitionError } from "../../../tool/index.js";
import { decoded } from "./read-value.js";
import { isRecord } from "../../../schema/internal.js";
import { checkYamlShape, loadYaml } from "./load-yaml.js";
import { Refusal } from "../operation/operation-refusal.js";

/** An OpenAPI document: parsed, or the path or `file:` URL of a JSON or YAML file. */
export type DocumentSource = object | string | URL;

/** One file of a document; a document that was given as an object has no path. */
export interface DocumentFile {
  readonly path: string | undefined;
  readonly content: unknown;
}

/** The files of a document, each read once. None outside of the first one's folder is read, and nothing is fetched. */
export class DocumentFiles {
  readonly first: DocumentFile;
  readonly #files = new Map<string, DocumentFile>();
  readonly #found = new Map<string, DocumentFile | Refusal>();
  #characters = { json: 0, yaml: 0 };

  constructor(source: DocumentSource) {
    this.first = typeof source === "string" || source instanceof URL ? this.#open(pathOf(source)) : { path: undefined, content: source };
  }

  /** The file that a `$ref` in `from` names. Throws `Refusal`. */
  find(reference: string, from: DocumentFile): DocumentFile {
    const key = `${from.path} ${reference}`;
    const known = this.#found.get(key) ?? this.#tryFind(reference, from);
    this.#found.set(key, known);
    if (known instanceof Refusal) throw known;
    return known;
  }

  #tryFind(reference: string, from: DocumentFile): DocumentFile | Refusal {
    try {
      return this.#find(reference, from);
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
  }

  #find(reference: string, from: DocumentFile): DocumentFile {
    if (/^([a-z][a-z\d+.-]*:|\/\/)/i.test(reference)) {
      throw new Refusal(`"${reference}" is elsewhere, and nothing is fetched. Save it in the document's folder and refer to the file.`);
    }
    if (from.path === undefined || this.first.path === undefined) {
      throw new Refusal(`"${reference}" is a file, but the document was given as an object, without a folder. Give the path of its file.`);
    }
    const folder = realpathSync(dirname(this.first.path));
    const path = realPath(resolve(dirname(from.path), decoded(reference)), reference);
    const inside = relative(folder, path);
    if (inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside)) {
      throw new Refusal(`"${reference}" leads out of the document's folder ${folder}. Keep all files of the document below it.`);
    }
    try {
      return this.#open(path);
    } catch (error) {
      throw new Refusal(`"${reference}" can't be read: ${(error as Error).message}`);
    }
  }

  #open(path: string): DocumentFile {
    const known = this.#files.get(path);
    if (known !== undefined) return known;
    // Looked at before it is read: it may be larger than the memory.
    if (statSync(path).size > mostBytes.json) throw tooLarge(path, "JSON", mostBytes.json);
    const text = reading(`${path} can't be read`, () => readFileSync(path, "utf8"));
    const isJson = /^\s*[{[]/.test(text);
    const form = isJson ? "json" : "yaml";
    this.#characters[form] += text.length;
    if (this.#characters[form] > mostBytes[form]) throw tooLarge(path, isJson ? "JSON" : "YAML", mostBytes[form]);
    const file = { path, content: parse(text, path, isJson) };
    this.#files.set(path, file);
    return file;
  }
}

/** Of all files of one document. Parsing more holds up the process; YAML takes a hundred times as long as JSON. */
const mostBytes = { json: 16 * 1_024 * 1_024, yaml: 128 * 1_024 } as const;

const tooLarge = (path: string, form: "JSON" | "YAML", most: number): ToolDefinitionError =>
  new ToolDefinitionError(
    `openApiToolbox: with ${path} the document holds more than ${most / 1_024} KiB of ${form}. ` +
      (form === "YAML"
        ? "Save it as JSON: npx yaml --single --json < document.yaml > document.json"
        : "Split it, and import its parts one by one."),
  );

function pathOf(source: string | URL): string {
  const text = String(source);
  if (/^\s*\{|\n/.test(text)) {
    throw new ToolDefinitionError(
      "openApiToolbox: takes a parsed document or the path of a file, not its text. Parse it: JSON.parse(text).",
    );
  }
  if (/^https?:/i.test(text)) {
    throw new ToolDefinitionError(`openApiToolbox: ${text} isn't fetched. Save the document beside your code, and give the file's path.`);
  }
  const path = /^file:/i.test(text) ? fileURLToPath(text) : text;
  try {
    return realpathSync(path);
  } catch {
    throw new ToolDefinitionError(`openApiToolbox: there is no file ${resolve(path)}. Relative paths begin at the working directory.`);
  }
}

function realPath(path: string, reference: string): string {
  try {
    return realpathSync(path);
  } catch {
    throw new Refusal(`"${reference}" names a file that doesn't exist: ${path}.`);
  }
}

/** Parses JSON if the text is JSON, else YAML. */
function parse(text: string, path: string, isJson: boolean): unknown {
  const content = reading(`${path} isn't ${isJson ? "JSON" : "YAML"}`, () => (isJson ? JSON.parse(text) : parseYaml(text, path)));
  if (!isRecord(content)) throw new ToolDefinitionError(`openApiToolbox: ${path} holds no object. Is it the right file?`);
  return content;
}

/** Merge keys (`<<`) are of YAML 1.1, and many documents have them. Aliases that unfold without end are refused by the package. */
function parseYaml(text: string, path: string): unknown {
  const yaml = loadYaml(path);
  checkYamlShape(yaml, text, path);
  return yaml.parse(text, { merge: true, logLevel: "error" });
}

function reading<Value>(problem: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof ToolDefinitionError) throw error;
    throw new ToolDefinitionError(`openApiToolbox: ${problem}: ${(error as Error).message}`, { cause: error });
  }
}
