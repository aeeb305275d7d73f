import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { inspect } from "node:util";
import { insteadOfName, nearestName } from "../../tool/internal.js";
import type { CommandOptions } from "../command-table.js";
import { CommandError, UsageError } from "../exit-codes.js";
import type { Host } from "../host.js";

/** A module of the application that was loaded. */
export interface LoadedModule {
  /** Its path, relative to the directory of the command. */
  readonly path: string;
  readonly exported: object;
}

/** Milliseconds after which the person reads that a module is still loading, and after which loading fails. */
const patience = { notice: 5_000, end: 60_000 };

/** Loads the modules that a command names, else those of package.json. */
export async function loadModules(operands: readonly string[], options: CommandOptions, host: Host): Promise<readonly LoadedModule[]> {
  const named = [...operands, ...(options.module ?? [])];
  const files = named.length > 0 ? named.map((name) => findFile(name, host)) : modulesOfPackage(host);
  const loaded: LoadedModule[] = [];
  // One after another: an error is about one of them, and modules print in a fixed order.
  for (const file of new Set(files)) {
    const path = relative(host.directory, file) || basename(file);
    loaded.push({ path, exported: await load(file, path, host) });
  }
  return loaded;
}

/** Whether the command or package.json names modules. */
export const namesModules = (operands: readonly string[], { module = [] }: CommandOptions, { directory }: Host): boolean =>
  operands.length > 0 || module.length > 0 || nearestManifest(directory)?.settings !== undefined;

async function load(file: string, path: string, host: Host): Promise<object> {
  const loading = host.importModule(file);
  try {
    return (await endsInTime(loading, path, host)) as object;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${path} can't be loaded: ${reasonOf(error, host)}`, undefined, { cause: error });
  }
}

function endsInTime<Value>(loading: Promise<Value>, path: string, host: Host): Promise<Value> {
  return new Promise<Value>((done, fail) => {
    const notice = setTimeout(() => host.errors.write(`Still loading ${path} (Ctrl-C stops it) ...\n`), patience.notice);
    const end = setTimeout(
      () =>
        fail(
          new CommandError(
            `${path} doesn't end loading: its top-level code still runs after ${patience.end / 1000} s. Start servers and jobs in a function, and export the tools from a module of their own.`,
          ),
        ),
      patience.end,
    );
    // They hold nothing: if nothing else is left to do, an `await` in the module waits in vain.
    notice.unref();
    end.unref();
    const inVain = (): void =>
      fail(new CommandError(`${path} doesn't end loading: an await in its top-level code waits for something that never comes.`));
    process.once("beforeExit", inVain);
    void loading.then(done, fail).finally(() => {
      clearTimeout(notice);
      clearTimeout(end);
      process.off("beforeExit", inVain);
    });
  });
}

/** The error, and where in the application's code it was thrown. */
function reasonOf(error: unknown, { directory }: Host): string {
  if (!(error instanceof Error)) return `it threw ${inspect(error, { depth: 1 })}.`;
  // The compiler adds a stack of its own below its message, and Node names the module that requires twice.
  const [text = ""] = error.message.split(/\n[^\S\n]*\n(?:Caused by|Stack backtrace):/);
  const message = [...new Set(text.split("\n"))].join("\n");
  const frames = [...(error.stack ?? "").matchAll(/^ {4}at (?:.*\()?(?:file:\/\/)?([^()]+:\d+:\d+)\)?$/gm)].map(([, place]) => place ?? "");
  // A missing module is named by the message, with those that require it.
  const isMissing = (error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND";
  const frame = isMissing ? undefined : frames.find((place) => place.startsWith(directory) && !place.includes("node_modules"));
  const hint = /does not provide an export named/.test(error.message) ? "\nIf it is a type, import it with `import type`." : "";
  return `${error.name}: ${message}${hint}${frame === undefined ? "" : `\n    at ${relative(directory, frame)}`}`;
}

const endings = [".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs"];

function findFile(name: string, { directory }: Host): string {
  const path = resolve(directory, name);
  if (existsSync(path)) {
    if (!statSync(path).isDirectory()) return path;
    const index = endings.map((ending) => join(path, `index${ending}`)).find((candidate) => existsSync(candidate));
    if (index !== undefined) return index;
    throw new UsageError(`${name} is a directory without an index file. Name a file in it, such as ${join(name, "tools.ts")}.`);
  }
  const folder = dirname(path);
  const nearest = existsSync(folder) ? nearestName(basename(path), readdirSync(folder)) : undefined;
  const instead = nearest === undefined ? "" : ` Did you mean ${relative(directory, join(folder, nearest))}?`;
  throw new UsageError(`There is no file ${name} in ${directory}.${instead}`);
}

/** The files that "toolwright.modules" of the nearest package.json names. */
function modulesOfPackage({ directory }: Host): readonly string[] {
  const howTo = 'Name one: --module src/tools.ts. Or list them in package.json: "toolwright": { "modules": ["src/tools.ts"] }.';
  const manifest = nearestManifest(directory);
  if (manifest === undefined)
    throw new UsageError(`No module is named, and there is no package.json in ${directory} or above it. ${howTo}`);
  const { settings, file } = manifest;
  if (settings === undefined) throw new UsageError(`No module is named. ${howTo}`);
  const unknown = Object.keys(settings).find((name) => name !== "modules");
  if (unknown !== undefined) {
    throw new UsageError(`${file}: "toolwright" has no setting "${unknown}". ${insteadOfName(unknown, ["modules"])}`);
  }
  const { modules } = settings;
  if (!Array.isArray(modules) || modules.length === 0 || !modules.every((entry) => typeof entry === "string")) {
    throw new UsageError(`${file}: "toolwright.modules" must be a list of files, such as ["src/tools.ts"].`);
  }
  return modules.map((entry: string) => {
    const path = resolve(dirname(file), entry);
    if (existsSync(path)) return path;
    throw new UsageError(`${file}: "toolwright.modules" names ${entry}, which doesn't exist.`);
  });
}

interface Manifest {
  readonly file: string;
  readonly settings: Readonly<Record<string, unknown>> | undefined;
  readonly name: string | undefined;
  readonly version: string | undefined;
}

/** What the nearest package.json says; `undefined` if there is none. */
export function nearestManifest(directory: string): Manifest | undefined {
  const file = join(directory, "package.json");
  if (!existsSync(file)) return dirname(directory) === directory ? undefined : nearestManifest(dirname(directory));
  const { toolwright, name, version } = readObject(file);
  return {
    file,
    settings: isObject(toolwright) ? toolwright : undefined,
    name: typeof name === "string" ? name : undefined,
    version: typeof version === "string" ? version : undefined,
  };
}

function readObject(file: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new UsageError(`${file} can't be read: ${(error as Error).message}`);
  }
  if (isObject(value)) return value;
  throw new UsageError(`${file} must hold a JSON object.`);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The object in a JSON file that an option names. */
export function readContext(name: string | undefined, { directory }: Host): Readonly<Record<string, unknown>> {
  if (name === undefined) return {};
  const file = resolve(directory, name);
  if (!existsSync(file)) throw new UsageError(`--context: there is no file ${name} in ${directory}.`);
  return readObject(file);
}
