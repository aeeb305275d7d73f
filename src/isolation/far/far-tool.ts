import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { constructorOf, type ToolConstructor } from "../../execution/internal.js";
import { type ToolClass, ToolDefinitionError } from "../../tool/index.js";
import { isToolClass, planOf, type ToolPlan } from "../../tool/internal.js";
import type { FarCall } from "../messages.js";
import { importModule } from "./import-module.js";
import { containerOf } from "./set-up.js";

export { ModuleError } from "./import-module.js";

/** A tool in the thread or process that runs it. */
export interface FarTool {
  readonly plan: ToolPlan;
  readonly construct: ToolConstructor;
}

const tools = new Map<string, FarTool>();

const keyOf = ({ module, services, className }: FarCall): string => `${className}\n${module}\n${services ?? ""}`;

/** A tool that was loaded before. */
export const knownTool = (call: FarCall): FarTool | undefined => tools.get(keyOf(call));

export async function loadTool(call: FarCall): Promise<FarTool> {
  const { module, services, className, place } = call;
  const url = urlOf(module);
  const exported = await importModule(url, `${className}: its module`, place);
  const toolClass = findClass(exported, className, url);
  const container = services === undefined ? undefined : await containerOf(urlOf(services, url), className, place);
  const tool = { plan: planOf(toolClass), construct: constructorOf(toolClass, container) };
  tools.set(keyOf(call), tool);
  return tool;
}

/** A path or URL of a file, which may be relative to another's. */
function urlOf(file: string, base?: string): string {
  if (file.startsWith("file:")) return file;
  return file.startsWith(".") ? sourceOf(new URL(file, base)).href : pathToFileURL(file).href;
}

/** `./services.js` of a TypeScript file is `./services.ts` until it is compiled. */
function sourceOf(url: URL): URL {
  const source = new URL(url.href.replace(/\.([cm]?)js$/, ".$1ts"));
  return !existsSync(url) && existsSync(source) ? source : url;
}

/** The class of a name among the exports of a module. In CommonJS, Node may see them only in the default export. */
function findClass(exported: Readonly<Record<string, unknown>>, className: string, url: string): ToolClass {
  const all = { ...(exported.default as object | undefined), ...exported };
  const named = all[className as keyof typeof all] as unknown;
  if (isToolClass(named)) return named;
  const found = Object.values<unknown>(all).find((value) => isToolClass(value) && value.name === className);
  if (found !== undefined) return found as ToolClass;
  const names = Object.keys(exported).filter((name) => name !== "default" && name !== "module.exports");
  const list = names.length === 0 ? "It exports no names." : `It exports ${names.slice(0, 10).join(", ")}.`;
  throw new ToolDefinitionError(
    `${className}: ${url} doesn't export it. ${list} Write "export class ${className}", and give @isolated the module of the file that has it; a subclass in another file needs an @isolated of its own.`,
  );
}
