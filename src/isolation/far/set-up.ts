import type { Container } from "../../execution/index.js";
import { type ToolClass, ToolDefinitionError } from "../../tool/index.js";
import type { FarCall } from "../messages.js";
import { importModule } from "./import-module.js";

const containers = new Map<string, Promise<Container>>();

/** The container that a set-up module gives: made once in this thread or process, and once more if it failed. */
export function containerOf(url: string, tool: ToolClass["name"], place: FarCall["place"]): Promise<Container> {
  let container = containers.get(url);
  if (container === undefined) {
    container = setUp(url, tool, place);
    containers.set(url, container);
    container.catch(() => containers.delete(url));
  }
  return container;
}

async function setUp(url: string, tool: string, place: FarCall["place"]): Promise<Container> {
  const owner = `${tool}: its set-up module`;
  const exported = await importModule(url, owner, place);
  const written = exported.container ?? defaultOf(exported);
  const given: unknown = typeof written === "function" && !isContainer(written) ? await (written as () => unknown)() : written;
  if (isContainer(given)) return given;
  throw new ToolDefinitionError(
    `${owner} ${url} gives no container. Export a function that returns one as default or as "container": ` +
      "export default async () => Container, or an object with get(type).",
  );
}

/** A module that was compiled to CommonJS has its default export inside of what Node calls so. */
function defaultOf(exported: Readonly<Record<string, unknown>>): unknown {
  const { default: outer } = exported;
  const { container, default: inner } = (outer ?? {}) as { readonly container?: unknown; readonly default?: unknown };
  return container ?? inner ?? outer;
}

/** typedi's `Container` is a class, so a function may be one. */
const isContainer = (value: unknown): value is Container =>
  (typeof value === "object" || typeof value === "function") && value !== null && typeof (value as Partial<Container>).get === "function";
