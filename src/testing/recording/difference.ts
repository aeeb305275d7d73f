/** A place at which a test's request differs from the recorded one; `undefined` if one side has nothing. */
export interface Difference {
  readonly path: string;
  readonly recorded: unknown;
  readonly asked: unknown;
}

/** Every place at which two JSON values differ, as deep as possible. */
export function differencesOf(recorded: unknown, asked: unknown, path = ""): readonly Difference[] {
  if (Object.is(recorded, asked)) return [];
  if (!isStructure(recorded) || !isStructure(asked) || Array.isArray(recorded) !== Array.isArray(asked)) return [{ path, recorded, asked }];
  const keys = new Set([...Object.keys(recorded), ...Object.keys(asked)]);
  return [...keys].flatMap((key) => differencesOf(member(recorded, key), member(asked, key), join(path, key, Array.isArray(asked))));
}

const isStructure = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null;

const member = (value: Readonly<Record<string, unknown>>, key: string): unknown => (Object.hasOwn(value, key) ? value[key] : undefined);

/** The path of a member: `items[1]`, `items[1].price`. */
export const join = (path: string, key: string, isIndex: boolean): string =>
  isIndex ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;

/** Characters of a value that are shown: a recording may hold whole documents. */
const longestShown = 160;
/** How much of what both sides share is shown before the first difference of two texts. */
const sharedShown = 40;

/** `messages[3].content: recorded "Sunny in Paris.", asked "Rainy in Paris."` */
export function describeDifference({ path, recorded, asked }: Difference): string {
  const start = typeof recorded === "string" && typeof asked === "string" ? Math.max(0, firstDifference(recorded, asked) - sharedShown) : 0;
  return `${path}: recorded ${show(recorded, start)}, asked ${show(asked, start)}`;
}

function firstDifference(left: string, right: string): number {
  let index = 0;
  while (index < left.length && left[index] === right[index]) index += 1;
  return index;
}

function show(value: unknown, start: number): string {
  if (value === undefined) return "nothing";
  if (typeof value !== "string") return cut(JSON.stringify(value), 0);
  return `${start > 0 ? "..." : ""}${JSON.stringify(cut(value, start))}`;
}

const cut = (text: string, start: number): string =>
  text.length - start > longestShown ? `${text.slice(start, start + longestShown)}...` : text.slice(start);
