import type { Files } from "../files/write-files.js";
import { camelCase, distinct, kebabCase, pascalCase } from "./names.js";
import { indexSource, type ToolToWrite, toolSource } from "./tool-source.js";

/** What an import writes. */
export interface ImportedProject {
  /** The name of the toolbox. */
  readonly name: string;
  readonly files: Files;
  readonly tools: readonly string[];
  /** Environment variables that the written code reads. */
  readonly variables: readonly string[];
  /** What couldn't be written, and why. */
  readonly leftOut: readonly LeftOut[];
}

interface LeftOut {
  readonly name: string;
  readonly reason: string;
}

interface Named {
  readonly name: string;
}

/** Tools, without those that can't be written. */
export function sortOut<Item extends Named>(
  tools: readonly Item[],
  reasonAgainst: (tool: Item) => string | undefined,
): { readonly written: readonly Item[]; readonly leftOut: readonly LeftOut[] } {
  const judged = tools.map((tool) => ({ tool, reason: reasonAgainst(tool) }));
  return {
    written: judged.filter(({ reason }) => reason === undefined).map(({ tool }) => tool),
    leftOut: judged.flatMap(({ tool: { name }, reason }) => (reason === undefined ? [] : [{ name, reason }])),
  };
}

/** What a project has besides a file for each tool and the one that exports them together. */
interface ProjectParts<Item> {
  /** The name of the project. */
  readonly name: string;
  /** The name of its toolbox. */
  readonly toolbox: string;
  readonly tools: readonly Item[];
  /** What is written of a tool, whose class has this name. */
  readonly write: (tool: Item, className: string) => ToolToWrite;
  readonly leftOut: readonly LeftOut[];
  /** Files that the classes import. */
  readonly files?: Files;
  /** Tools whose classes would have the name of one in `files`. */
  readonly takenClasses?: readonly string[];
  readonly variables?: readonly string[];
}

/** Writes a class for each tool, into a file of its own. */
export function classProject<Item extends Named>(parts: ProjectParts<Item>): ImportedProject {
  const { name, toolbox, tools, write, leftOut, files = {}, takenClasses = [], variables = [] } = parts;
  const names = tools.map((tool) => tool.name);
  const takenFiles = ["index", ...Object.keys(files).map((path) => path.replace(/\.ts$/, ""))];
  const classNames = distinct([...takenClasses, ...names], (text) => `${pascalCase(text)}Tool`).slice(takenClasses.length);
  const fileNames = distinct([...takenFiles, ...names], kebabCase).slice(takenFiles.length);
  const classes = tools.map((tool, index) => ({ tool, className: classNames[index] ?? "", file: fileNames[index] ?? "" }));
  return {
    name,
    files: {
      ...files,
      ...Object.fromEntries(classes.map(({ tool, className, file }) => [`${file}.ts`, toolSource(write(tool, className))])),
      "index.ts": indexSource(toolbox, camelCase(name), classes),
    },
    tools: names,
    variables,
    leftOut,
  };
}
