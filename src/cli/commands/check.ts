import { checkTools, type ToolFinding, type ToolRule } from "../../lint/index.js";
import { printable } from "../../redaction/internal.js";
import { type ProviderDialect, wireSchema } from "../../schema/internal.js";
import type { CommandModule } from "../command-table.js";
import { exitCodes } from "../exit-codes.js";
import { paintFor, writeJson, writeLine } from "../host.js";
import { choosingAgents, type Definitions, loadDefinitions } from "../modules/definitions.js";
import { counted } from "../text/counted.js";
import { dialectsOf } from "../modules/provider.js";

/** A finding, as `--json` prints it. */
interface CheckFinding extends Omit<ToolFinding, "rule"> {
  /** With an error, a tool doesn't work, or not with some provider. A warning is advice. */
  readonly severity: "error" | "warning";
  readonly rule: ToolRule | "is-valid" | "has-one-name" | "has-known-tools" | "fits-provider";
  readonly module: string;
}

/** The rules that a tool doesn't work without. */
const errorRules: ReadonlySet<ToolRule> = new Set(["declares-parameters", "has-portable-names", "has-timeout-in-milliseconds"]);

export const run: CommandModule["run"] = async (operands, options, host) => {
  const definitions = await loadDefinitions(operands, options, host);
  const findings = findingsIn(definitions, dialectsOf(options.provider));
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const warnings = findings.length - errors;
  const isOk = errors === 0 && (options.strict !== true || warnings === 0);
  if (options.json === true) {
    await writeJson(host, { ok: isOk, tools: definitions.tools.length, agents: definitions.agents.length, errors, warnings, findings });
  } else {
    const paint = paintFor(host, host.output);
    const lines = findings.flatMap(({ severity, tool, parameter, rule, module, message, fix }) => [
      `${severity === "error" ? paint.red("error") : paint.yellow("warning")} ${paint.bold(printable(parameter === undefined ? tool : `${tool}.${parameter}`))} ${paint.dim(`(rule ${rule}, loaded from ${printable(module)})`)}`,
      `  ${printable(message)}`,
      ...(fix === "" ? [] : [`  ${printable(fix)}`]),
    ]);
    const summary = `${counted(definitions.tools.length, "tool")}: ${counted(errors, "error")}, ${counted(warnings, "warning")}.`;
    await writeLine(host, [...lines, isOk ? paint.green(summary) : paint.red(summary)].join("\n"));
  }
  return isOk ? exitCodes.success : exitCodes.failed;
};

/** All that is found in the definitions of modules. */
export const findingsIn = (definitions: Definitions, dialects: readonly ProviderDialect[]): readonly CheckFinding[] => [
  ...invalidDefinitions(definitions),
  ...sharedNames(definitions),
  ...unknownTools(definitions),
  ...adviceAbout(definitions),
  ...refusedSchemas(definitions, dialects),
];

const invalidDefinitions = ({ broken }: Definitions): readonly CheckFinding[] =>
  broken.map(({ name, module, message }) => ({ severity: "error", tool: name, rule: "is-valid", module, message, fix: "" }));

function sharedNames({ tools }: Definitions): readonly CheckFinding[] {
  return tools.flatMap(({ name, module }, index) => {
    const first = tools.findIndex((other) => other.name === name);
    if (first === index) return [];
    const message = `Another tool is named "${name}" too (${tools[first]?.module}): no agent and no server can offer both.`;
    return [{ severity: "error", tool: name, rule: "has-one-name", module, message, fix: "Give one another name with @identifier." }];
  });
}

/** If a function chooses the tools of all agents and no module exports a tool, there is nothing that could be checked. */
function unknownTools({ tools, agents }: Definitions): readonly CheckFinding[] {
  if (tools.length > 0) return [];
  return choosingAgents({ agents }).map(({ name, module }) => ({
    ...{ severity: "warning", tool: name, rule: "has-known-tools", module },
    message: `A function chooses the tools of the agent "${name}", so none of them is known and none is checked.`,
    fix: "Name the modules that export the tools too.",
  }));
}

function adviceAbout({ tools }: Definitions): readonly CheckFinding[] {
  const places = new Map(tools.map(({ name, module }) => [name, module]));
  return checkTools(tools.map(({ tool }) => tool)).map((finding) => ({
    severity: errorRules.has(finding.rule) ? "error" : "warning",
    ...finding,
    module: places.get(finding.tool) ?? "",
  }));
}

/** The tools that `toProviderTools` and the models of a provider leave out. */
function refusedSchemas({ tools }: Definitions, dialects: readonly ProviderDialect[]): readonly CheckFinding[] {
  return tools.flatMap(({ name, tool, module }) => {
    const refusals = new Map<string, ProviderDialect[]>();
    for (const dialect of dialects) {
      const wire = wireSchema(tool.definition.parametersSchema, dialect);
      if ("refused" in wire) refusals.set(wire.refused, [...(refusals.get(wire.refused) ?? []), dialect]);
    }
    return [...refusals].map(
      ([reason, refusing]): CheckFinding => ({
        severity: "error",
        tool: name,
        rule: "fits-provider",
        module,
        message: `Its parameters can't be sent to ${refusing.join(", ")}: ${reason}`,
        fix: "Simplify the schema, or don't offer the tool to these providers.",
      }),
    );
  });
}
