import { NetworkError } from "./network-error.js";

/**
 * Fills the placeholders of a URL's path: `https://api.example.com/users/{id}`. Each value stays inside its path segment,
 * percent-encoded, so that it can choose neither scheme, host, port, another path nor a query.
 *
 * Throws `NetworkError` if a placeholder stands before the path, has no value, or its value can't be a path segment
 * (empty, `.` or `..`).
 *
 * ```ts
 * fillUrl("https://api.example.com/users/{id}", { id: "a/b" }); // "https://api.example.com/users/a%2Fb"
 * ```
 */
export function fillUrl(template: string, values: Readonly<Record<string, unknown>>): string {
  const path = /^[a-z][a-z\d+.-]*:\/\/[^{}/?#\\]+(?=\/)/i.exec(template)?.[0].length;
  if (path === undefined) {
    throw new NetworkError("template", "The URL's scheme, host and port must be written out, as in https://api.example.com/users/{id}.");
  }
  const end = template.slice(path).search(/[?#]/);
  const rest = end === -1 ? "" : template.slice(path + end);
  if (/[{}]/.test(rest)) throw new NetworkError("template", "Placeholders stand in the URL's path alone, not behind ? or #.");
  const segments = template.slice(path, end === -1 ? undefined : path + end).split("/");
  return template.slice(0, path) + segments.map((segment) => fillSegment(segment, values)).join("/") + rest;
}

function fillSegment(segment: string, values: Readonly<Record<string, unknown>>): string {
  const filled = segment.replace(/\{([^{}]*)\}/g, (_, name: string) => encode(name, values));
  // The URL parser takes such segments as steps within the path, whichever way their dots are written.
  const isStep = filled !== segment && /^(\.|%2e){1,2}$/i.test(filled);
  if (isStep) throw new NetworkError("template", `"${filled}" would lead to another path than ${segment} stands for.`);
  return filled;
}

function encode(name: string, values: Readonly<Record<string, unknown>>): string {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (!["string", "number", "boolean", "bigint"].includes(typeof value) || value === "") {
    throw new NetworkError("template", `${name} is part of the URL's path and needs a value that isn't empty.`);
  }
  return encodeURIComponent(String(value).toWellFormed());
}
