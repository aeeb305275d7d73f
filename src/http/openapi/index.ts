export type { OpenApiAuth, OpenApiCredential } from "./credentials.js";
export type { DocumentSource } from "./document-file.js";
export type { Include } from "./include.js";
export { loadOpenApiToolbox, type OpenApiOptions, type OpenApiToolbox, openApiToolbox } from "./open-api-toolbox.js";
export type { OpenApiOperation, RefusedOperation } from "./operations.js";
