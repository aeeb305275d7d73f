import { HttpError } from "../../http-error.js";
import { pathProblem } from "./inside-base.js";
import { Refusal } from "../operation/operation-refusal.js";
import { writeInPath } from "./parameter-text.js";
import type { Parameter } from "../operation/request-shape.js";

/** A parameter of the path with the name and the value of its argument. */
export interface PathValue {
  readonly argument: string;
  readonly parameter: Parameter;
  readonly value: unknown;
}

const placeholder = /\{([^{}]*)\}/g;

export const placeholdersOf = (path: string): ReadonlySet<string> => new Set([...path.matchAll(placeholder)].map(([, name = ""]) => name));

/** Throws `Refusal` if the path leads out of the base URL's, or holds a placeholder that no parameter fills. */
export function checkPath(path: string, parameters: readonly Parameter[]): void {
  const problem = pathProblem(path);
  if (problem !== undefined) throw new Refusal(`its path ${problem}. Correct it in the document, or move it into baseUrl.`);
  const names = new Set(parameters.filter(({ place }) => place === "path").map(({ name }) => name));
  for (const name of placeholdersOf(path)) {
    if (!names.has(name)) throw new Refusal(`its path holds {${name}}, but no path parameter has that name. Declare it under parameters.`);
  }
}

/**
 * The path with its placeholders filled. Whatever the style, a value stays inside of its segment: it can choose neither host
 * nor another path nor a query. Throws `HttpError` if it can't be a segment (empty, `.` or `..`).
 */
export function writePath(path: string, values: readonly PathValue[]): string {
  const byName = new Map(values.map((value) => [value.parameter.name, value]));
  return path
    .split("/")
    .map((segment) => writeSegment(segment, byName))
    .join("/");
}

function writeSegment(segment: string, values: ReadonlyMap<string, PathValue>): string {
  const used: string[] = [];
  const written = segment.replace(placeholder, (_, name: string) => {
    const { argument, parameter, value } = values.get(name) as PathValue;
    used.push(argument);
    const text = isEmpty(value) ? "" : writeInPath(name, value, parameter.format);
    if (text === "") throw new HttpError(`${argument} is part of the URL's path and needs a value that isn't empty.`);
    return text;
  });
  // The URL parser takes such segments as steps within the path, whichever way their dots are written.
  if (used.length > 0 && /^(\.|%2e){1,2}$/i.test(written)) {
    throw new HttpError(`${used.join(" and ")} would lead to another path. Give the name or number that is meant.`);
  }
  return written;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);
