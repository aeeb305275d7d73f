import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import {
  createFilesMatcher,
  type FileMatcher,
  getTsconfig,
  parseTsconfig,
  type TsConfigJsonResolved,
  type TsConfigResult,
} from "get-tsconfig";

export type CompilerOptions = NonNullable<TsConfigJsonResolved["compilerOptions"]>;

interface Candidate {
  readonly tsconfig: TsConfigResult;
  readonly includes: (path: string) => boolean;
}

const ofFolder = new Map<string, readonly Candidate[]>();

/** The tsconfig.json that is nearest to a file. If it refers to others and doesn't include the file, as Nx writes it, the first of them that does. */
export function tsconfigOf(path: string): TsConfigResult | undefined {
  const folder = dirname(path);
  let candidates = ofFolder.get(folder);
  if (candidates === undefined) {
    const nearest = getTsconfig(folder);
    candidates = nearest === null ? [] : [nearest, ...referredBy(nearest)].map(candidateOf);
    ofFolder.set(folder, candidates);
  }
  const [nearest, ...referred] = candidates;
  if (referred.length === 0) return nearest?.tsconfig;
  return (candidates.find(({ includes }) => includes(path)) ?? nearest)?.tsconfig;
}

/** The patterns of a file are read once, and only if they are asked about. */
function candidateOf(tsconfig: TsConfigResult): Candidate {
  let matcher: FileMatcher | undefined;
  return { tsconfig, includes: (path) => (matcher ??= createFilesMatcher(tsconfig))(path) !== undefined };
}

/** The compiler options for a file. */
export const compilerOptionsFor = (path: string): CompilerOptions => tsconfigOf(path)?.config.compilerOptions ?? {};

function referredBy({ path, config }: TsConfigResult): readonly TsConfigResult[] {
  return (config.references ?? []).flatMap((reference) => {
    const named = resolve(dirname(path), reference.path);
    const file = existsSync(named) && statSync(named).isDirectory() ? join(named, "tsconfig.json") : named;
    // `tsc` reports a reference to nothing.
    return existsSync(file) ? [{ path: file, config: parseTsconfig(file) }] : [];
  });
}
