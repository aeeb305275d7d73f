import { resolve } from "node:path";
import {
  comparisonText,
  compareEvaluations,
  evaluate,
  type EvaluationOptions,
  type EvaluationReport,
  evaluationHtml,
  evaluationText,
} from "../../evaluation/index.js";
import type { CommandModule, CommandOptions } from "../command-table.js";
import { CommandError, exitCodes, UsageError } from "../exit-codes.js";
import { refuseMissingFolder, writeFile } from "../files/write-files.js";
import { type Host, paintFor, writeJson, writeLine } from "../host.js";
import { casesIn, reportIn } from "../eval/read-evaluation.js";
import { findAgent, loadDefinitions } from "../modules/definitions.js";

export const run: CommandModule["run"] = async ([name = "", file = ""], options, host) => {
  const threshold = shareOf(options.threshold);
  const baseline = options.baseline === undefined ? undefined : reportIn(options.baseline, host);
  const counts = { repetitions: countOf("--repetitions", options.repetitions), concurrency: countOf("--concurrency", options.concurrency) };
  for (const report of [options.html, options.out]) if (report !== undefined) refuseMissingFolder(report, host);
  const definitions = await loadDefinitions([], options, host);
  const { agent } = findAgent(definitions, name);
  const cases = await casesIn(file, host);
  const shared = {
    ...{ agent, cases, runTools: options.runTools === true, answers: resolve(host.directory, options.answers ?? ".toolwright/answers") },
    ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== undefined)),
  };
  const report = await watched({ ...shared, ...(options.model !== undefined && { model: options.model }) }, host);
  const other = options.compare === undefined ? undefined : await watched({ ...shared, model: options.compare }, host);
  const comparison = other !== undefined ? compareEvaluations(report, other) : baseline && compareEvaluations(baseline, report);
  if (options.html !== undefined) writeFile(options.html, evaluationHtml(other ?? report, comparison), host);
  if (options.out !== undefined) writeFile(options.out, `${JSON.stringify(other ?? report, undefined, 2)}\n`, host);
  const isEnough = [report, ...(other === undefined ? [] : [other])].every(
    ({ summary: { errors, passed } }) => errors === 0 && passed.share >= (threshold ?? 0),
  );
  if (options.json === true) await writeJson(host, { ok: isEnough, report, ...(other && { other }), ...(comparison && { comparison }) });
  else await writeLine(host, textOf(report, other, comparison, threshold, isEnough, host));
  return isEnough ? exitCodes.success : exitCodes.failed;
};

function textOf(
  report: EvaluationReport,
  other: EvaluationReport | undefined,
  comparison: ReturnType<typeof compareEvaluations> | undefined,
  threshold: number | undefined,
  isEnough: boolean,
  host: Host,
): string {
  const paint = paintFor(host, host.output);
  const verdict = threshold === undefined ? [] : [`${isEnough ? "Reached" : "Below"} the threshold of ${(100 * threshold).toFixed(1)} %.`];
  return [
    evaluationText(report),
    ...(other === undefined ? [] : [evaluationText(other)]),
    ...(comparison === undefined ? [] : [comparisonText(comparison)]),
    ...verdict.map(isEnough ? paint.green : paint.red),
  ].join("\n\n");
}

/** Evaluates with a line of progress on a terminal; Ctrl-C ends it. */
async function watched(options: EvaluationOptions, host: Host): Promise<EvaluationReport> {
  const abort = new AbortController();
  const restore = host.onInterrupt(() => abort.abort());
  const isTerminal = host.errors.isTTY === true;
  let passed = 0;
  try {
    return await evaluate({
      ...options,
      abortSignal: abort.signal,
      onProgress: ({ done, total, result }) => {
        if (result.passed) passed += 1;
        if (isTerminal) host.errors.write(`\r${bar(done, total)} ${done} of ${total}, ${passed} passed`);
      },
    });
  } catch (error) {
    if (!abort.signal.aborted) throw error;
    throw new CommandError(
      `Interrupted. Answers so far are kept in ${options.answers}: the same command asks only for the others.`,
      exitCodes.interrupted,
    );
  } finally {
    if (isTerminal) host.errors.write("\n");
    restore();
  }
}

/** Characters. */
const barWidth = 20;
const bar = (done: number, total: number): string => "#".repeat(Math.floor((barWidth * done) / total)).padEnd(barWidth, ".");

/** `0.9`, `90%` or `90 %`. */
function shareOf(text: CommandOptions["threshold"]): number | undefined {
  if (text === undefined) return undefined;
  const [, digits, percent] = /^(\d+(?:\.\d+)?|\.\d+) ?(%?)$/.exec(text) ?? [];
  const share = Number(digits) / (percent === "%" ? 100 : 1);
  if (share >= 0 && share <= 1) return share;
  throw new UsageError(`--threshold is "${text}", but is the share that must pass: give a number from 0 to 1, such as 0.9, or 90%.`);
}

function countOf(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const count = Number(text);
  if (Number.isSafeInteger(count) && count >= 1) return count;
  throw new UsageError(`${option} is "${text}": give a whole number of at least 1.`);
}
