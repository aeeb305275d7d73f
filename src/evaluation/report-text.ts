import { printable } from "../redaction/internal.js";
import type { EvaluationComparison } from "./compare-evaluations.js";
import type { CaseResult, EvaluationReport } from "./evaluation-report.js";
import type { Share } from "./statistics.js";

/** Lines of each list; the report itself has all. */
const mostLines = 10;

/**
 * A report as text for a terminal: shares with their 95 % intervals, accuracy by tool, what was called in place of what, faults by
 * parameter, and cases that didn't pass. See docs/29-evaluation.md.
 */
export function evaluationText({ agent, model, summary, results }: EvaluationReport): string {
  const { cases, runs, errors, passed, scores, tools, confusions, argumentFaults, usage, latency, requests, keptRequests } = summary;
  const failed = results.filter((result) => !result.passed && result.error === undefined);
  const broken = results.filter(({ error }) => error !== undefined);
  return [
    `${agent}${model === undefined ? "" : ` with ${model}`}: ${counted(cases, "case")}${runs === cases ? "" : `, ${counted(runs, "run")}`}`,
    `  passed       ${shareText(passed)}`,
    ...Object.entries(scores).map(([name, share]) => `  ${name.padEnd(12)} ${shareText(share)}`),
    `  tokens       ${usage.inputTokens} in (${usage.cachedInputTokens} cached), ${usage.outputTokens} out`,
    `  latency      median ${Math.round(latency.median)} ms, 95 % ${Math.round(latency.p95)} ms`,
    `  requests     ${requests}, ${keptRequests} of them answered before`,
    ...section("Could not be judged", broken, (result) => [`${nameOf(result)}: ${result.error ?? ""}`], errors),
    ...section("Right tool, by tool", tools, ({ tool, right }) => [`${tool}: ${shareText(right)}`]),
    ...section("Called in place of", confusions, ({ expected, called, count }) => [
      `expected ${expected ?? "no call"}, called ${called ?? "nothing"}: ${counted(count, "time")}`,
    ]),
    ...section("Arguments", argumentFaults, ({ tool, parameter, kind, count }) => [
      `${tool}${parameter === "" ? "" : `.${parameter}`} is ${kind === "unexpected" ? "not expected" : kind}: ${counted(count, "time")}`,
    ]),
    ...section("Not passed", failed, (result) => [nameOf(result), ...[...saidIn(result), ...result.faults].map((line) => `  ${line}`)]),
  ]
    .map(printable)
    .join("\n");
}

/** A comparison as text for a terminal. See docs/29-evaluation.md. */
export function comparisonText(comparison: EvaluationComparison): string {
  const { score, cases, before, after, difference, low, high, better, worse, probability, isMoreThanChance } = comparison;
  const verdict = isMoreThanChance ? `${difference > 0 ? "better" : "worse"}, beyond chance` : "not more than chance";
  return [
    `${score}, ${counted(cases, "case")}: ${percent(before)} before, ${percent(after)} after: ${verdict}`,
    `  difference   ${signed(difference)} (${signed(low)} to ${signed(high)}), p = ${probability.toFixed(4)}`,
    `  cases        ${better.length} better, ${worse.length} worse`,
    `  tokens       ${Math.round(comparison.tokens.before)} before, ${Math.round(comparison.tokens.after)} after`,
    `  latency      ${Math.round(comparison.milliseconds.before)} ms before, ${Math.round(comparison.milliseconds.after)} ms after`,
  ].join("\n");
}

function section<Item>(
  title: string,
  items: readonly Item[],
  linesOf: (item: Item) => readonly string[],
  count: number = items.length,
): readonly string[] {
  if (count === 0) return [];
  const shown = items.slice(0, mostLines).flatMap((item) => linesOf(item).map((line) => `  ${line}`));
  return ["", `${title}:`, ...shown, ...(count > mostLines ? [`  and ${count - mostLines} more`] : [])];
}

/** What a failed case asked, and what it was answered at last, if it was answered with text. */
function saidIn({ conversation = [] }: CaseResult): readonly string[] {
  const asked = conversation.findLast(({ role }) => role === "user");
  const last = conversation.at(-1);
  return [
    ...(asked === undefined ? [] : [`asked: ${shortened(asked.text)}`]),
    ...(last?.role === "assistant" && last.text !== "" ? [`answered: ${shortened(last.text)}`] : []),
  ];
}

/** Characters of a prompt or an answer. */
const mostCharacters = 120;

function shortened(text: string): string {
  const characters = Array.from(text.replaceAll(/\s+/g, " ").trim());
  return characters.length > mostCharacters ? `${characters.slice(0, mostCharacters).join("")}…` : characters.join("");
}

const nameOf = ({ id, repetition }: CaseResult): string => (repetition === 1 ? id : `${id}, repetition ${repetition}`);

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** `83.3 % of 12 (55.2 to 95.3)` */
export const shareText = ({ share, low, high, of }: Share): string =>
  of === 0 ? "none" : `${percent(share)} of ${of} (${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)})`;

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

const signed = (share: number): string => `${share < 0 ? "" : "+"}${(100 * share).toFixed(1)} %`;
