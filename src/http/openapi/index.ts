export type { OpenApiAuth, OpenApiCredential } from "./operation/credentials.js";
export type { DocumentSource } from "./document/document-file.js";
export type { Include } from "./operation/include.js";
export { loadOpenApiToolbox, type OpenApiOptions, type OpenApiToolbox, openApiToolbox } from "./open-api-toolbox.js";
export type { OpenApiOperation, RefusedOperation } from "./operation/operations.js";
