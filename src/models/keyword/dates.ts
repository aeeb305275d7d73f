import type { Parameter } from "./tool-parameters.js";

/** A date found in a text, with its place. `iso` is `2025-03-14`. */
export interface FoundDate {
  readonly iso: string;
  readonly start: number;
  readonly end: number;
}

const months = ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"];
const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const day = 86_400_000;

/** True for the names of months and weekdays, which are written with a capital but name nothing else. */
export const isCalendarWord = (word: string): boolean => [...months, ...weekdays].includes(word.toLowerCase());

const monthName = `(${months.map((month) => `${month}|${month.slice(0, 3)}`).join("|")})\\.?`;
const dayNumber = "(\\d{1,2})(?:st|nd|rd|th)?";
const year = "(?:,?\\s+(?:of\\s+)?(\\d{4}))?";

const forms: readonly {
  readonly pattern: RegExp;
  readonly parts: (groups: readonly (string | undefined)[]) => readonly (string | undefined)[];
}[] = [
  { pattern: /\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\b/g, parts: ([, y, m, d]) => [y, m, d] },
  // If both numbers could be the month, the American order is assumed; a number over 12 is the day.
  { pattern: /\b(\d{1,2})[/](\d{1,2})[/](\d{4})\b/g, parts: ([, m, d, y]) => (Number(m) > 12 ? [y, d, m] : [y, m, d]) },
  { pattern: /\b(\d{1,2})[-.](\d{1,2})[-.](\d{4})\b/g, parts: ([, d, m, y]) => (Number(m) > 12 ? [y, d, m] : [y, m, d]) },
  { pattern: new RegExp(`\\b${monthName}\\s+${dayNumber}\\b${year}`, "gi"), parts: ([, m, d, y]) => [y, monthNumber(m), d] },
  {
    pattern: new RegExp(`\\b${dayNumber}\\s+(?:of\\s+)?${monthName}(?![a-z])${year}`, "gi"),
    parts: ([, d, m, y]) => [y, monthNumber(m), d],
  },
];

const monthNumber = (name = ""): string => String(months.findIndex((month) => month.startsWith(name.toLowerCase().slice(0, 3))) + 1);

/** The dates of a text. A date without a year is in the year of `now`; `today`, `tomorrow` and weekdays count from it. */
export function findDates(text: string, now: Date): FoundDate[] {
  const found: FoundDate[] = [];
  const add = (iso: string | undefined, match: RegExpMatchArray): void => {
    const start = match.index ?? 0;
    const end = start + match[0].length;
    if (iso !== undefined && !found.some((other) => start < other.end && other.start < end)) found.push({ iso, start, end });
  };
  for (const { pattern, parts } of forms) {
    for (const match of text.matchAll(pattern)) {
      const [y = String(now.getFullYear()), m = "", d = ""] = parts(match);
      add(isoDate(Number(y), Number(m), Number(d)), match);
    }
  }
  // "Saturday, 2025-03-15" is one day, and the date says which.
  if (found.length > 0) return found.sort((a, b) => a.start - b.start);
  for (const match of text.matchAll(/\b(today|tomorrow|yesterday)\b/gi)) {
    const days = { today: 0, tomorrow: 1, yesterday: -1 }[match[1]?.toLowerCase() ?? ""] ?? 0;
    add(localIso(new Date(now.getTime() + days * day)), match);
  }
  for (const match of text.matchAll(new RegExp(`\\b(?:next |this |on )?(${weekdays.join("|")})\\b`, "gi"))) {
    const days = (weekdays.indexOf(match[1]?.toLowerCase() ?? "") - now.getDay() + 7) % 7 || 7;
    add(localIso(new Date(now.getTime() + days * day)), match);
  }
  return found.sort((a, b) => a.start - b.start);
}

const localIso = (date: Date): string | undefined => isoDate(date.getFullYear(), date.getMonth() + 1, date.getDate());

/** `undefined` for a day that doesn't exist. */
function isoDate(y: number, m: number, d: number): string | undefined {
  const date = new Date(Date.UTC(y, m - 1, d));
  return date.getUTCMonth() === m - 1 && date.getUTCDate() === d ? date.toISOString().slice(0, 10) : undefined;
}

/**
 * A date or timestamp in the format of the parameter, or in the form that its description asks for (`MM/DD/YYYY`,
 * `DD-MM-YYYY`, ...), ISO by default. For a timestamp, `time` and UTC are the defaults of the missing parts.
 */
export function formatDate(iso: string, { schema, description }: Pick<Parameter, "schema" | "description">, time = "00:00"): string {
  const [date = "", clock = time, seconds = ":00", zone = "Z"] = iso.split(/T(\d\d:\d\d)(:[\d.]+)?(Z|[+-][\d:]+)?$/);
  if (schema.format === "date-time") return `${date}T${clock}${seconds}${zone}`;
  const [y = "", m = "", d = ""] = date.split("-");
  const form = /\b(?=\w*[MDY])(?:YYYY|MM|DD)([-/.])(?:MM|DD|YYYY)\1(?:DD|YYYY|MM)\b/i.exec(description)?.[0];
  if (form === undefined) return schema.format === "date" ? date : iso;
  return form.toUpperCase().replace("YYYY", y).replace("MM", m).replace("DD", d);
}
