/** A document as the checks read it, without the importer: references within the document, and nothing else. */

export type Json = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** What a value stands for, where it is a reference. */
export function follow(root: Json, value: unknown): Json {
  if (!isRecord(value)) return {};
  if (typeof value.$ref !== "string") return value;
  const target = value.$ref
    .slice(2)
    .split("/")
    .reduce<unknown>(
      (place, token) => (place as Json | undefined)?.[decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~")],
      root,
    );
  return follow(root, target);
}

/** A parameter as the document describes it. */
export interface WrittenParameter {
  readonly name: string;
  readonly in: string;
  readonly schema: Json;
  /** How lists are written; versions 2.0 and 3 in one vocabulary. */
  readonly style: string;
  readonly explode: boolean;
  readonly isJson: boolean;
}

export interface WrittenOperation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly WrittenParameter[];
  /** What the body may be. */
  readonly mediaTypes: readonly string[];
  /** The alternatives of security, each a list of schemes. */
  readonly security: readonly (readonly Json[])[];
}

const methods = new Set(["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]);

export function operationsOf(root: Json): readonly WrittenOperation[] {
  return Object.entries(isRecord(root.paths) ? root.paths : {}).flatMap(([path, written]) => {
    const item = follow(root, written);
    return Object.keys(item)
      .filter((method) => methods.has(method))
      .map((method) => operationOf(root, path, method, item));
  });
}

function operationOf(root: Json, path: string, method: string, item: Json): WrittenOperation {
  const operation = item[method] as Json;
  const byName = new Map<string, Json>();
  for (const written of [...listOf(item.parameters), ...listOf(operation.parameters)]) {
    const parameter = follow(root, written);
    byName.set(`${parameter.in} ${parameter.name}`, parameter);
  }
  const parameters = [...byName.values()];
  const inBody = parameters.filter(({ in: place }) => place === "body" || place === "formData");
  const content = follow(root, follow(root, operation.requestBody).content);
  return {
    method: method.toUpperCase(),
    path,
    parameters: parameters.filter((parameter) => !inBody.includes(parameter)).map((parameter) => parameterOf(root, parameter)),
    mediaTypes: root.swagger === undefined ? Object.keys(content) : oldMediaTypes(root, operation, inBody),
    security: listOf(operation.security ?? root.security).map((requirement) =>
      Object.keys(requirement as Json).map((name) => schemeOf(root, name)),
    ),
  };
}

function parameterOf(root: Json, parameter: Json): WrittenParameter {
  const { name, in: place, content } = parameter;
  const common = { name: String(name), in: String(place), isJson: isRecord(content) };
  if (root.swagger !== undefined) {
    const format = String(parameter.collectionFormat ?? "csv");
    const styles: Readonly<Record<string, string>> = { ssv: "spaceDelimited", tsv: "tabDelimited", pipes: "pipeDelimited" };
    return { ...common, schema: parameter, style: styles[format] ?? "form", explode: format === "multi" };
  }
  const style = String(parameter.style ?? (place === "query" || place === "cookie" ? "form" : "simple"));
  const explode = typeof parameter.explode === "boolean" ? parameter.explode : style === "form";
  return { ...common, schema: follow(root, parameter.schema), style, explode };
}

function oldMediaTypes(root: Json, operation: Json, inBody: readonly Json[]): readonly string[] {
  if (inBody.length === 0) return [];
  if (inBody.some(({ in: place }) => place === "formData")) return ["application/x-www-form-urlencoded", "multipart/form-data"];
  const consumes = listOf(operation.consumes ?? root.consumes).map(String);
  return consumes.length === 0 ? ["application/json"] : consumes;
}

export const schemesOf = (root: Json): Json =>
  ((root.swagger === undefined ? (root.components as Json | undefined)?.securitySchemes : root.securityDefinitions) as Json) ?? {};

const schemeOf = (root: Json, name: string): Json => follow(root, schemesOf(root)[name]);
