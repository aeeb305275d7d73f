export { type AutoApproveOptions, autoApprove } from "./auto-approve.js";
export { type ConfirmationAction, type ConfirmationCard, confirmationCard } from "./card/confirmation-card.js";
export { type ConfirmationCardOptions, confirmationCardHtml, decisionFromForm } from "./card/confirmation-card-html.js";
export type { ShownArgument } from "./shown-confirmation.js";
export { confirmInTerminal, type TerminalOptions } from "./terminal/confirm-in-terminal.js";
export { confirmByWebhook, type WebhookOptions, type WebhookProblem } from "./webhook/confirm-by-webhook.js";
export { type SignedMessage, signDecision, verifyWebhook } from "./webhook/webhook-messages.js";
export { type WebhookHeaders, type WebhookMessage, WebhookVerificationError } from "./webhook/webhook-signature.js";
