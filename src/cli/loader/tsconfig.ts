import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { createFilesMatcher, getTsconfig, parseTsconfig, type TsConfigJsonResolved, type TsConfigResult } from "get-tsconfig";

export type CompilerOptions = NonNullable<TsConfigJsonResolved["compilerOptions"]>;

const ofFolder = new Map<string, readonly TsConfigResult[]>();

/** The tsconfig.json that is nearest to a file. If it refers to others and doesn't include the file, as Nx writes it, the first of them that does. */
export function tsconfigOf(path: string): TsConfigResult | undefined {
  const folder = dirname(path);
  let candidates = ofFolder.get(folder);
  if (candidates === undefined) {
    const nearest = getTsconfig(folder);
    candidates = nearest === null ? [] : [nearest, ...referredBy(nearest)];
    ofFolder.set(folder, candidates);
  }
  return candidates.length > 1 ? (candidates.find((candidate) => includes(candidate, path)) ?? candidates[0]) : candidates[0];
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

const includes = (tsconfig: TsConfigResult, path: string): boolean => createFilesMatcher(tsconfig)(path) !== undefined;
