/**
 * Real tools and real calls of them: `tools.jsonl` and `calls.jsonl` in the data folder (test/data/README.md). A tool without a description
 * gets its name as one, because a definition needs a description. What can't be read becomes a surprise.
 */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { createTool } from "toolwright";
import { dataFolder } from "../test/support/data-folder.cjs";

for (const name of ["tools.jsonl", "calls.jsonl"]) {
  if (existsSync(resolve(dataFolder, name))) continue;
  process.stderr.write(
    `${name} not found in ${dataFolder}. Set TOOLWRIGHT_DATA to the folder that holds tools.jsonl and calls.jsonl, or unset it.\n`,
  );
  process.exit(1);
}

export const surprises = [];

/** The objects of a JSON Lines file, each with its place; empty lines are passed over. */
function* readLines(name) {
  for (const [index, line] of readFileSync(resolve(dataFolder, name), "utf8").split("\n").entries()) {
    if (line.trim() === "") continue;
    const place = `${name} line ${index + 1}`;
    try {
      const item = JSON.parse(line);
      if (typeof item === "object" && item !== null) yield [item, place];
      else surprises.push(`${place}: not an object`);
    } catch (error) {
      surprises.push(`${place}: not JSON (${error.message})`);
    }
  }
}

/** Every tool by its id, with the class made of it or `undefined` if that failed. */
export function defineTools() {
  const tools = new Map();
  for (const [{ id, source, name, description, schema, outputSchema }, place] of readLines("tools.jsonl")) {
    if (tools.has(id)) {
      surprises.push(`${place}: a second tool with the id ${id}, passed over`);
      continue;
    }
    const tool = { name, source, toolClass: undefined };
    tools.set(id, tool);
    try {
      tool.toolClass = createTool({
        name,
        description: description || name,
        inputSchema: schema,
        ...(outputSchema && { outputSchema }),
        execute: () => null,
      });
    } catch (error) {
      surprises.push(`tool ${name} (${id}) is not defined: ${error.message}`);
    }
  }
  return tools;
}

/** The rows of calls, each with its place. */
export const readRows = () =>
  [...readLines("calls.jsonl")].filter(([{ expected }, place]) => {
    const readable = Array.isArray(expected) && expected.every((call) => typeof call === "object" && call !== null);
    if (!readable) surprises.push(`${place}: no list of expected calls`);
    return readable;
  });

/** The texts of a question, which is a text, a message, or turns of them. */
export const textsOf = (question) =>
  Array.isArray(question) ? question.flatMap(textsOf) : [typeof question === "string" ? question : String(question?.content ?? "")];

/** Compares arguments with the accepted values of each parameter; `""` among them means that it may be left out. */
export function fitsPossible(possible, value) {
  if (Object.keys(value).some((key) => !Object.hasOwn(possible, key))) return false;
  return Object.entries(possible).every(([key, accepted]) => {
    const options = Array.isArray(accepted) ? accepted : [accepted];
    return Object.hasOwn(value, key) ? options.some((option) => fitsOption(option, value[key])) : options.includes("");
  });
}

/** One accepted value: the value itself, a list of accepted items, or an object whose fields list what they accept. */
function fitsOption(option, value) {
  if (isDeepStrictEqual(option, value)) return true;
  if (typeof option !== "object" || option === null || typeof value !== "object" || value === null) return false;
  if (!Array.isArray(option)) return !Array.isArray(value) && fitsPossible(option, value);
  return Array.isArray(value) && option.length === value.length && option.every((item, index) => fitsOption(item, value[index]));
}

/** The tool classes that a row offers by name: the expected one, and of each other name the one from the row's own source first. */
export function offerOf(row, expectedTool, tools) {
  const names = new Set(row.tools);
  const offered = new Map();
  for (const tool of tools.values()) {
    if (!names.has(tool.name) || tool.toolClass === undefined) continue;
    const known = offered.get(tool.name);
    if (known === undefined || (known.source !== row.source && tool.source === row.source)) offered.set(tool.name, tool);
  }
  offered.set(expectedTool.name, expectedTool);
  return [...offered.values()].map(({ toolClass }) => toolClass);
}

/** The case of a row that needs one call. */
export function caseOf(row, tools) {
  const [call] = row.expected;
  const prompts = textsOf(row.question);
  const { name } = tools.get(call.tool_id).toolClass.definition;
  const isRight = (args) => (call.possible ? fitsPossible(call.possible, args) : isDeepStrictEqual(args, call.args));
  return {
    id: row.id,
    prompt: prompts.at(-1),
    ...(prompts.length > 1 && { messages: prompts.slice(0, -1).map((content) => ({ role: "user", content })) }),
    expect: { calls: [{ tool: name, arguments: isRight }] },
  };
}
