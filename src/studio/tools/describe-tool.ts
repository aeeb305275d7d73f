import { toProviderTools } from "../../models/internal.js";
import { providerDialects, type ProviderDialect, wireSchema } from "../../schema/internal.js";
import type { ToolDefinition } from "../../tool/index.js";
import type { Finding, ProviderForm, ToolDetail, ToolLine } from "../api.js";
import type { StudioTool } from "../subjects.js";

export function toolLine(id: string, { tool: { definition }, module, from }: StudioTool, findings: readonly Finding[]): ToolLine {
  const { name, description, tags, access, category, requiresConfirmation, answeredBy } = definition;
  const approval = typeof requiresConfirmation === "function" ? "by_arguments" : requiresConfirmation;
  return {
    ...{ id, name, description, module, tags, category },
    access: [...(access?.scopes ?? []), ...(access?.roles ?? [])],
    ...(from !== undefined && { from }),
    approval: answeredBy === undefined ? approval : "answered",
    findings: findings.filter((finding) => finding.tool === name).length,
  };
}

export function toolDetail(id: string, found: StudioTool, findings: readonly Finding[]): ToolDetail {
  const { tool } = found;
  const { definition } = tool;
  return {
    ...toolLine(id, found, findings),
    className: tool.name,
    parameters: definition.parametersSchema,
    ...(definition.outputSchema !== undefined && { output: definition.outputSchema }),
    examples: definition.examples ?? [],
    facts: factsOf(definition),
    providers: providerDialects.map((dialect) => providerForm(found, dialect)),
    advice: findings.filter((finding) => finding.tool === definition.name),
  };
}

function providerForm({ tool }: StudioTool, provider: ProviderDialect): ProviderForm {
  if (tool.definition.providerTool !== undefined) {
    return { provider, refused: "The provider runs this tool itself: it has no schema.", moved: [] };
  }
  const wire = wireSchema(tool.definition.parametersSchema, provider);
  if ("refused" in wire) return { provider, refused: wire.refused, moved: [] };
  return { provider, tool: toProviderTools([tool], provider), moved: wire.moved };
}

function factsOf(definition: ToolDefinition): ToolDetail["facts"] {
  const { consequenceLevel, timeout, effect, version, dependsOn, access, isolated, deferred, answeredBy, retryable } = definition;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["consequence", consequenceLevel],
    ["timeout", Number.isFinite(timeout) ? `${timeout} ms` : "none"],
    ["effect", effect],
    ["tried again", retryable ? "yes" : "not with the same arguments"],
    ["version", version],
    ["calls", dependsOn.length === 0 ? undefined : dependsOn.join(", ")],
    required("scope", access?.scopes),
    required("role", access?.roles),
    ["runs in", isolated?.in],
    ["deferred", deferred === true ? "the model finds it by a search" : undefined],
    ["answered by", answeredBy],
  ];
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}

function required(kind: string, names: readonly string[] = []): readonly [string, string | undefined] {
  if (names.length === 0) return [kind, undefined];
  return [names.length === 1 ? `required ${kind}` : `required ${kind}s, all of`, names.join(", ")];
}
