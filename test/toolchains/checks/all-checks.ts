import { dialectChecks } from "./dialect.js";
import { portableChecks } from "./portable.js";

export const allChecks = [...portableChecks, ...dialectChecks];
