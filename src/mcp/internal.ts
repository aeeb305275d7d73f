// What other rooms build on, and no application needs.
export { takeStdout } from "./server/guarded-stdout.js";
