import { printable, printableLines } from "../../redaction/internal.js";
import type { ToolDefinition } from "../../tool/index.js";
import { insteadOfName } from "../../tool/internal.js";
import type { CommandModule } from "../command-table.js";
import { exitCodes, UsageError } from "../exit-codes.js";
import { type Paint, paintFor, writeJson, writeLine } from "../host.js";
import { findAgent, findTool, type FoundAgent, type FoundTool, loadDefinitions } from "../modules/definitions.js";
import { columns } from "../text/columns.js";
import { approvalOf, modelNameOf, parametersOf } from "../text/describe.js";

export const run: CommandModule["run"] = async ([name = ""], options, host) => {
  const definitions = await loadDefinitions([], options, host);
  const { tools, agents, broken } = definitions;
  const isNamed = ({ name: own }: { readonly name: string }): boolean => own === name;
  const isAgent = agents.some((found) => isNamed(found) || found.agent.name === name) && !tools.some(isNamed);
  if (!isAgent && ![...tools, ...broken].some((found) => isNamed(found) || ("tool" in found && found.tool.name === name))) {
    throw new UsageError(
      `There is no tool or agent "${name}". ${insteadOfName(
        name,
        [...tools, ...agents].map((found) => found.name),
      )}`,
    );
  }
  const paint = paintFor(host, host.output);
  if (isAgent) {
    const found = findAgent(definitions, name);
    if (options.json === true) await writeJson(host, agentAsJson(found));
    else await writeLine(host, agentAsText(found, paint));
  } else {
    const found = findTool(definitions, name);
    if (options.json === true) await writeJson(host, toolAsJson(found));
    else await writeLine(host, toolAsText(found, paint));
  }
  return exitCodes.success;
};

const toolAsJson = ({ name, tool: { definition }, module, from }: FoundTool) => ({
  kind: "tool",
  name,
  description: definition.description,
  module,
  ...(from !== undefined && { from }),
  parametersSchema: definition.parametersSchema,
  ...(definition.outputSchema !== undefined && { outputSchema: definition.outputSchema }),
  ...(definition.examples !== undefined && { examples: definition.examples }),
  category: definition.category,
  consequenceLevel: definition.consequenceLevel,
  requiresConfirmation: approvalOf(definition),
  ...(definition.effect !== undefined && { effect: definition.effect }),
  // JSON has no Infinity.
  timeout: Number.isFinite(definition.timeout) ? definition.timeout : null,
  tags: definition.tags,
  ...(definition.access !== undefined && { access: definition.access }),
  deferred: definition.deferred === true,
});

const agentAsJson = ({ name, agent: { definition }, module, tools }: FoundAgent) => ({
  kind: "agent",
  name,
  ...(definition.description !== undefined && { description: definition.description }),
  module,
  model: modelNameOf(definition),
  instructions: typeof definition.instructions === "string" ? definition.instructions : null,
  tools: tools?.map((tool) => tool.definition.name) ?? null,
  maxSteps: Number.isFinite(definition.maxSteps) ? definition.maxSteps : null,
});

function toolAsText({ name, tool: { definition }, module, from }: FoundTool, { bold, dim }: Paint): string {
  const parameters = parametersOf(definition).map(({ name: own, type, isRequired, description }) => [
    printable(own),
    printable(type),
    isRequired ? "required" : "",
    printable(description),
  ]);
  return [
    `${bold(printable(name))}  ${dim(printable(from === undefined ? module : `${module}, ${from}`))}`,
    printableLines(definition.description),
    "",
    parameters.length === 0 ? "No parameters." : `${bold("Parameters")}\n${columns(parameters)}`,
    "",
    `${bold("Policy")}\n${columns(policyOf(definition))}`,
  ].join("\n");
}

function policyOf(definition: ToolDefinition): readonly (readonly string[])[] {
  const { category, consequenceLevel, timeout, effect, tags, access, deferred } = definition;
  const approval = approvalOf(definition);
  return [
    ["category", category],
    ["consequence", consequenceLevel],
    ["approval", approval === "by_arguments" ? "depends on the arguments" : approval ? "required" : "not required"],
    ["timeout", Number.isFinite(timeout) ? `${timeout} ms` : "none"],
    ...(effect === undefined ? [] : [["effect", effect]]),
    ...(tags.length === 0 ? [] : [["tags", printable(tags.join(", "))]]),
    ...(access === undefined ? [] : [["access", printable(JSON.stringify(access))]]),
    ...(deferred === true ? [["deferred", "the model finds it by a search"]] : []),
  ];
}

function agentAsText({ name, agent: { definition }, module, tools }: FoundAgent, { bold, dim }: Paint): string {
  const { description, instructions } = definition;
  return [
    `${bold(printable(name))}  ${dim(printable(module))}`,
    ...(description === undefined ? [] : [printableLines(description)]),
    "",
    columns([
      ["model", printable(modelNameOf(definition) ?? "chosen by a function")],
      ["tools", printable(tools?.map((tool) => tool.definition.name).join(", ") ?? "chosen by a function")],
    ]),
    ...(typeof instructions === "string" ? ["", bold("Instructions"), printableLines(instructions)] : []),
  ].join("\n");
}
