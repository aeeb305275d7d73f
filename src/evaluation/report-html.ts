import { escapeHtml, printable, printableLines } from "../redaction/internal.js";
import type { EvaluationComparison } from "./compare-evaluations.js";
import type { CaseResult, ConversationLine, EvaluationReport } from "./evaluation-report.js";
import { confusionMatrix } from "./confusion-matrix.js";
import { comparisonText, shareText } from "./report-text.js";

/**
 * A report as one HTML page without scripts or requests: figures, a matrix of expected and called tools, and each case that didn't pass with
 * its conversation. It follows the reader's light or dark theme.
 *
 * `await writeFile("report.html", evaluationHtml(report))`
 *
 * `comparison` stands at its top. See docs/29-evaluation.md.
 */
export function evaluationHtml(report: EvaluationReport, comparison?: EvaluationComparison): string {
  const { agent, model, summary, results } = report;
  const title = `Evaluation of ${agent}${model === undefined ? "" : ` with ${model}`}`;
  const { cases, runs, usage, latency, requests, keptRequests } = summary;
  const broken = results.filter(({ error }) => error !== undefined);
  const failed = results.filter(({ passed, error }) => !passed && error === undefined);
  const facts: readonly (readonly [string, string])[] = [
    ["passed", shareText(summary.passed)],
    ...Object.entries(summary.scores).map(([name, share]) => [name, shareText(share)] as const),
    ["cases, runs", `${cases}, ${runs}`],
    ["tokens", `${usage.inputTokens} in (${usage.cachedInputTokens} cached), ${usage.outputTokens} out`],
    ["latency", `median ${Math.round(latency.median)} ms, 95 % ${Math.round(latency.p95)} ms`],
    ["requests", `${requests}, ${keptRequests} of them answered before`],
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${text(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${text(title)}</h1>
${comparison === undefined ? "" : `<h2>Compared with the evaluation before</h2>\n<pre>${text(comparisonText(comparison))}</pre>`}
<table><caption>Figures. In brackets: the 95 % interval, in percent.</caption><tbody>
${facts.map(([name, value]) => `<tr><th scope="row">${text(name)}</th><td>${text(value)}</td></tr>`).join("\n")}
</tbody></table>
${broken.length === 0 ? "" : `<h2>Could not be judged</h2>\n${broken.map(caseHtml).join("\n")}`}
${toolsHtml(report)}
${faultsHtml(report)}
<h2>Not passed: ${failed.length}</h2>
${failed.length === 0 ? "<p>All runs passed.</p>" : failed.map(caseHtml).join("\n")}
</main>
</body>
</html>
`;
}

function toolsHtml({ summary: { tools }, results }: EvaluationReport): string {
  if (tools.length === 0) return "";
  const rows = tools.map(({ tool, right }) => `<tr><th scope="row">${text(tool)}</th><td>${text(shareText(right))}</td></tr>`);
  return `<h2>Tools</h2>
<div class="wide">${confusionMatrix(results)}</div>
<details><summary>Right tool, by tool</summary><table><tbody>
${rows.join("\n")}
</tbody></table></details>`;
}

function faultsHtml({ summary: { argumentFaults } }: EvaluationReport): string {
  if (argumentFaults.length === 0) return "";
  const rows = argumentFaults.map(
    ({ tool, parameter, kind, count }) =>
      `<tr><td>${text(tool)}</td><td>${text(parameter === "" ? "all" : parameter)}</td><td>${kind === "unexpected" ? "not expected" : kind}</td><td>${count}</td></tr>`,
  );
  return `<h2>Arguments</h2>
<details${rows.length > mostOpen ? "" : " open"}><summary>Faults by parameter: ${rows.length}</summary><table><thead><tr><th scope="col">tool</th><th scope="col">parameter</th><th scope="col">fault</th><th scope="col">times</th></tr></thead><tbody>
${rows.join("\n")}
</tbody></table></details>`;
}

/** A longer list is opened by the reader. */
const mostOpen = 10;

function caseHtml({ id, repetition, error, faults, scores, outcome = "", conversation = [] }: CaseResult): string {
  const found = error === undefined ? faults : [error];
  return `<details class="case"><summary><b>${text(id)}</b>${repetition === 1 ? "" : ` (repetition ${repetition})`} ${text(found[0] ?? "")}</summary>
<ul>${found.map((fault) => `<li>${text(fault)}</li>`).join("")}</ul>
${scores.outcome === undefined ? "" : `<p>The run ended with <code>${text(outcome)}</code>.</p>`}
<ol class="conversation">
${conversation.map(lineHtml).join("\n")}
</ol></details>`;
}

function lineHtml({ role, text: said, calls = [] }: ConversationLine): string {
  const made = calls.map((call) => `<pre class="call">${text(`${call.tool} ${call.arguments}`)}</pre>`);
  return `<li class="${role}"><span>${role}</span>${said === "" ? "" : `<pre>${lines(said)}</pre>`}${made.join("")}</li>`;
}

const text = (value: string): string => escapeHtml(printable(value));
const lines = (value: string): string => escapeHtml(printableLines(value));

const style = `
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #ffffff; --soft: #f2f4f7; --line: #d3d9e0; --good: #1a7f4b; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7eaee; --paper: #14171b; --soft: #1f242a; --line: #39414b; --good: #5fd08f; --bad: #ff8a80; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
table { border-collapse: collapse; } caption { text-align: left; padding-bottom: .25rem; }
th, td { text-align: left; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; vertical-align: top; }
pre { margin: .25rem 0; padding: .5rem; background: var(--soft); white-space: pre-wrap; overflow-wrap: anywhere; font: 14px/1.4 ui-monospace, monospace; }
details { margin: .5rem 0; } summary { cursor: pointer; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
.conversation { list-style: none; padding: 0; } .conversation li { margin: .5rem 0; } .conversation span { font-size: .85rem; }
.call { border-left: 3px solid var(--bad); }
svg text { fill: var(--ink); font: 13px system-ui, sans-serif; }
svg .right { fill: var(--good); } svg .wrong { fill: var(--bad); } svg .cell { stroke: var(--line); }
`;
