import { type OpenApiOptions, openApiToolbox } from "../../../src/http/openapi/index.js";
import type { JsonSchema, ToolClass } from "../../../src/index.js";
import { invokeTool } from "../../../src/testing/index.js";
import { type Api, type SeenRequest, startApi } from "../support.js";

export type Json = Readonly<Record<string, unknown>>;

/** A document of version 3.1 with these paths. */
export const documentOf = (paths: Json, rest: Json = {}): Json => ({
  openapi: "3.1.0",
  info: { title: "Test API", version: "1" },
  servers: [{ url: "https://api.example.com" }],
  paths,
  ...rest,
});

/** A document of version 2.0 with these paths. */
export const oldDocumentOf = (paths: Json, rest: Json = {}): Json => ({
  swagger: "2.0",
  info: { title: "Test API", version: "1" },
  host: "api.example.com",
  paths,
  ...rest,
});

/** An operation with these parameters. */
export const get = (...parameters: readonly Json[]): Json => ({ get: { operationId: "ask", parameters } });

/** The only tool of a document. */
export function onlyTool(document: object, options?: OpenApiOptions): ToolClass {
  const { tools, refused } = openApiToolbox(document, options);
  expect(refused).toEqual([]);
  expect(tools).toHaveLength(1);
  return tools[0] as ToolClass;
}

export const schemaOf = (document: object, options?: OpenApiOptions): JsonSchema => onlyTool(document, options).parametersSchema;

export const namesOf = ({ properties = {} }: JsonSchema): readonly string[] => Object.keys(properties);

/** Why the only operation of a document is no tool. */
export function reasonOf(document: object, options?: OpenApiOptions): string {
  try {
    openApiToolbox(document, options);
    return "It is a tool.";
  } catch (error) {
    return (error as Error).message;
  }
}

/** A loopback server for the tests of a file, and the request that a call makes of it. */
export function loopback(): {
  readonly api: () => Api;
  readonly requestOf: (document: object, values?: Json, options?: OpenApiOptions) => Promise<SeenRequest>;
} {
  let started: Api | undefined;
  const api = (): Api => started as Api;
  beforeAll(async () => {
    started = await startApi();
  });
  afterAll(() => api().close());
  return {
    api,
    requestOf: async (document, values = {}, options = {}) => {
      api().requests.splice(0);
      await invokeTool(onlyTool(document, { baseUrl: api().url, ...options }), values);
      expect(api().requests).toHaveLength(1);
      return api().requests[0] as SeenRequest;
    },
  };
}
