import { printable } from "../redaction/internal.js";
import type { ToolClass } from "../tool/index.js";
import { asToolList } from "../tool/internal.js";
import { Catalogue } from "./catalogue.js";
import type { Check, ToolFinding, ToolRule } from "./finding.js";
import { declaresParameters } from "./rules/declares-parameters.js";
import { notTooLong, notVague, saysWhatItDoes, saysWhenToUse } from "./rules/tool-description.js";
import { notLikeAnother } from "./rules/likeness.js";
import { fitsIntoRequest } from "./rules/list-length.js";
import { hasPortableNames } from "./rules/portable-names.js";
import { describesParameters } from "./rules/describes-parameters.js";
import { namesKnownTools } from "./rules/references.js";
import { hasTimeoutInMilliseconds } from "./rules/timeout.js";

const rules: Readonly<Record<ToolRule, Check>> = {
  "says-when-to-use": saysWhenToUse,
  "says-what-it-does": saysWhatItDoes,
  "not-too-long": notTooLong,
  "not-vague": notVague,
  "not-like-another": notLikeAnother,
  "names-known-tools": namesKnownTools,
  "declares-parameters": declaresParameters,
  "describes-parameters": describesParameters,
  "has-portable-names": hasPortableNames,
  "has-timeout-in-milliseconds": hasTimeoutInMilliseconds,
  "fits-into-request": fitsIntoRequest,
};

/**
 * Checks the descriptions by which models choose and fill tools, and returns what to improve.
 *
 * ```ts
 * const findings = checkTools(registry.select("*"));
 * expect(findings).toEqual([]);
 * ```
 *
 * The rules expect `<What it does>. Use when <trigger>. <For X, use Y instead.>` and a description of each parameter. Pass tools
 * together that a model sees together, because some rules compare them. Findings are ordered by tool, then by rule, and don't stop
 * a tool from working.
 *
 * Throws `ToolDefinitionError` if a tool's definition is invalid. See docs/09-registries.md.
 */
export function checkTools(tools: readonly ToolClass[]): readonly ToolFinding[] {
  const classes = asToolList(tools, "checkTools");
  const catalogue = new Catalogue(classes.map(({ definition }) => definition));
  return classes.flatMap((toolClass) =>
    (Object.keys(rules) as ToolRule[]).flatMap((rule) =>
      rules[rule](toolClass.definition, catalogue, toolClass).map((remark) => ({
        tool: toolClass.definition.name,
        rule,
        ...remark,
        // They quote names of tools and parameters, which a server or a document may have written.
        message: printable(remark.message),
        fix: printable(remark.fix),
      })),
    ),
  );
}
