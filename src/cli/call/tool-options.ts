import { Command, CommanderError, Option } from "commander";
import { printable } from "../../redaction/internal.js";
import type { JsonSchema } from "../../schema/index.js";
import type { ToolDefinition } from "../../tool/index.js";
import { UsageError } from "../exit-codes.js";
import { parametersOf } from "../text/describe.js";

/** What the options of a tool say: its arguments, or that its help is wanted. */
export type ToolOptions = { readonly arguments: Readonly<Record<string, unknown>> } | { readonly help: string };

/** Names that can be written as an option. The others are given with `--json`. */
const optionName = /^[A-Za-z][\w.-]*$/;

/** `reserved`: the options of the command, which come before a parameter of the same name. */
export function readToolOptions(definition: ToolDefinition, given: readonly string[], reserved: ReadonlySet<string>): ToolOptions {
  const values: Record<string, unknown> = {};
  const byJson: string[] = [];
  let help = "";
  const command = new Command(`toolwright call ${definition.name}`)
    .description(printable(definition.description))
    .helpOption("-h, --help", "show this help")
    .exitOverride()
    .configureOutput({ writeOut: (text) => (help += text), outputError: () => undefined });
  for (const parameter of parametersOf(definition)) {
    const { name, schema } = parameter;
    const isWritable = optionName.test(name) && !reserved.has(kebab(name)) && !reserved.has(name);
    if (!isWritable) byJson.push(name);
    else for (const option of optionsOf(parameter, (value) => assign(values, name, schema, value))) command.addOption(option);
  }
  const rest = byJson.length === 0 ? "" : `\nGiven with --json alone: ${byJson.map(printable).join(", ")}\n`;
  command.addHelpText("after", `${rest}\nOr all arguments as JSON: --json '{...}'`);
  try {
    command.parse([...given], { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return { help: help.trimEnd() };
    if (error instanceof CommanderError) {
      throw new UsageError(`${error.message.replace(/^error: /, "")}\nSee: toolwright call ${definition.name} --help`);
    }
    throw error;
  }
  return { arguments: values };
}

type Parameter = ReturnType<typeof parametersOf>[number];

/** `maxResults` is `--max-results`, and `--maxResults` too. */
const kebab = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replaceAll("_", "-")
    .toLowerCase();

function optionsOf({ name, schema, type, isRequired, description }: Parameter, assignText: (text: unknown) => void): readonly Option[] {
  const summary = [isRequired ? "required" : "", printable(description)].filter((part) => part !== "").join(": ");
  const parse = (text: string): string => {
    assignText(text);
    return text;
  };
  if (schema?.type === "boolean") {
    const option = new Option(`--${kebab(name)} [boolean]`, summary).preset("true").argParser(parse);
    // The parser reads the value of this one from no text.
    const negated = new Option(`--no-${kebab(name)}`, "").hideHelp().argParser(() => assignText("false"));
    return [option, negated.preset("false"), ...sameAs(name, "[boolean]", (other) => other.preset("true").argParser(parse))];
  }
  const value = `<${type.replaceAll(/[<>\s]/g, "_")}>`;
  return [new Option(`--${kebab(name)} ${value}`, summary).argParser(parse), ...sameAs(name, value, (other) => other.argParser(parse))];
}

/** The name as the schema has it, if it is another. */
const sameAs = (name: string, value: string, complete: (option: Option) => Option): readonly Option[] =>
  kebab(name) === name ? [] : [complete(new Option(`--${name} ${value}`).hideHelp())];

/** Texts stay texts if the schema takes them; all else is JSON. The executor says what doesn't fit. */
function assign(values: Record<string, unknown>, name: string, schema: JsonSchema | undefined, value: unknown): void {
  const text = String(value);
  const isItem = schema?.type === "array" && !text.trimStart().startsWith("[");
  if (!isItem) {
    values[name] = valueOf(text, schema);
    return;
  }
  const items = typeof schema.items === "object" && !Array.isArray(schema.items) ? (schema.items as JsonSchema) : undefined;
  const before = values[name];
  values[name] = [...(Array.isArray(before) ? before : []), valueOf(text, items)];
}

function valueOf(text: string, schema: JsonSchema | undefined): unknown {
  if (takesText(schema)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function takesText(schema: JsonSchema | undefined): boolean {
  if (schema === undefined) return false;
  const { type, enum: values, const: value } = schema;
  if (Array.isArray(values)) return values.every((entry) => typeof entry === "string");
  if (value !== undefined) return typeof value === "string";
  return type === "string" || (Array.isArray(type) && type.includes("string"));
}
