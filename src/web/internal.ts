// What other rooms build on, and no application needs.
export { BodyIntake } from "./handlers/body-intake.js";
export { WebRequestError } from "./web-request-error.js";
