import { printable } from "../../redaction/internal.js";
import type { CommandModule } from "../command-table.js";
import { exitCodes } from "../exit-codes.js";
import { paintFor, writeJson, writeLine } from "../host.js";
import { counted } from "../text/counted.js";
import { columns } from "../text/columns.js";
import { approvalOf, modelNameOf } from "../text/describe.js";
import { loadDefinitions } from "../modules/definitions.js";

export const run: CommandModule["run"] = async (operands, options, host) => {
  const definitions = await loadDefinitions(operands, options, host);
  const { tools, agents, broken } = definitions;
  if (options.json === true) {
    await writeJson(host, {
      tools: tools.map(({ name, tool: { definition }, module, from }) => ({
        name,
        description: definition.description,
        module,
        ...(from !== undefined && { from }),
        category: definition.category,
        requiresConfirmation: approvalOf(definition),
        deferred: definition.deferred === true,
      })),
      agents: agents.map(({ name, agent: { definition }, module, tools: list }) => ({
        name,
        ...(definition.description !== undefined && { description: definition.description }),
        module,
        model: modelNameOf(definition),
        tools: list?.map((tool) => tool.definition.name) ?? null,
      })),
      problems: broken,
    });
    return broken.length === 0 ? exitCodes.success : exitCodes.failed;
  }
  const paint = paintFor(host, host.output);
  const sections = [
    section(
      "Tools",
      tools.map(({ name, tool, from }) => [printable(name), lineOf(tool.definition.description, from)]),
      paint.bold,
    ),
    section(
      "Agents",
      agents.map(({ name, tools: list, agent: { definition } }) => [
        printable(name),
        lineOf(definition.description ?? "", list === undefined ? "tools by context" : counted(list.length, "tool")),
      ]),
      paint.bold,
    ),
  ];
  if (tools.length + agents.length > 0) await writeLine(host, sections.filter((text) => text !== "").join("\n\n"));
  for (const { module, message } of broken)
    host.errors.write(`${paintFor(host, host.errors).red("Invalid:")} ${printable(`${module}: ${message}`)}\n`);
  return broken.length === 0 ? exitCodes.success : exitCodes.failed;
};

const section = (title: string, rows: readonly (readonly string[])[], bold: (text: string) => string): string =>
  rows.length === 0 ? "" : `${bold(title)}\n${columns(rows)}`;

const longestLine = 90;

/** The beginning of a description, with where the tool comes from. */
function lineOf(description: string, note: string | undefined): string {
  const line = printable(description);
  const cut = line.length > longestLine ? `${line.slice(0, longestLine - 3).trimEnd()}...` : line;
  return [cut, note === undefined ? "" : `(${printable(note)})`].filter((part) => part !== "").join(" ");
}
