// What other rooms build on, and no application needs.
export { BodyIntake } from "./handlers/body-intake.js";
export { eventHeaders, frameBody } from "./stream/event-body.js";
export { publicEvent } from "./stream/public-event.js";
export { publicResponse, publicResult } from "./stream/public-response.js";
export { statusOf } from "./error-status.js";
export { WebRequestError } from "./web-request-error.js";
