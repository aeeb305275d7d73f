/** The part of an evaluation's report that is shown. See docs/29-evaluation.md. */
export interface Report {
  readonly agent: string;
  readonly model?: string;
  readonly summary: {
    readonly cases: number;
    readonly runs: number;
    readonly errors: number;
    readonly passed: Share;
    readonly scores: Readonly<Record<string, Share>>;
    readonly confusions: readonly { readonly expected: string | null; readonly called: string | null; readonly count: number }[];
    readonly usage: { readonly inputTokens: number; readonly outputTokens: number; readonly cachedInputTokens: number };
    readonly latency: { readonly median: number; readonly p95: number };
  };
  readonly results: readonly Result[];
}

/** `null`: of nothing. */
export interface Share {
  readonly share: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly of: number;
}

export interface Result {
  readonly id: string;
  readonly repetition: number;
  readonly passed: boolean;
  readonly error?: string;
  readonly faults: readonly string[];
  readonly outcome?: string;
  readonly conversation?: readonly Line[];
}

export interface Line {
  readonly role: string;
  readonly text: string;
  readonly calls?: readonly { readonly tool: string; readonly arguments: string }[];
}

/** The report in a file's text; of `toolwright eval --json`, the report in its output. Throws an error for the person. */
export function readReport(text: string): Report {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`The file isn't JSON: ${(error as Error).message}`);
  }
  const report = (isReport(value) ? value : (value as { readonly report?: unknown } | null)?.report) as Report | undefined;
  if (isReport(report)) return report;
  throw new Error("The file isn't a report of an evaluation. Write one with: toolwright eval <agent> <cases> --out report.json.");
}

const isReport = (value: unknown): value is Report =>
  typeof value === "object" &&
  value !== null &&
  (value as { readonly version?: unknown }).version === 1 &&
  Array.isArray((value as Report).results) &&
  typeof (value as Report).summary === "object";

const percent = (share: number | null): string => (100 * (share ?? 0)).toFixed(1);

export const shareText = ({ share, low, high, of }: Share): string =>
  of === 0 || share === null ? "none" : `${percent(share)} % of ${of} (${percent(low)} to ${percent(high)})`;
