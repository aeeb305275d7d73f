import { allChecks } from "./all-checks.js";
import { runChecks } from "./check.js";

void runChecks(allChecks);
