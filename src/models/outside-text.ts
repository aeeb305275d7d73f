import type { ModelError } from "./model-error.js";

/**
 * What somebody outside is told of a model's failure, such as a browser or another model: the message has the words of the
 * provider, which name accounts, hosts and keys.
 */
export const outsideText = ({ retryable }: ModelError): string =>
  retryable ? "The model is not available right now. Try again later." : "The model failed on the server.";
