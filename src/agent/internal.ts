// What other rooms build on, and no application needs.
export { WireNames } from "./wire-names.js";
