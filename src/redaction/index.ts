export { redact, redactText } from "./redact.js";
export { isSecretName } from "./secret-name.js";
export { addSecret, hideSecrets } from "./secrets.js";
