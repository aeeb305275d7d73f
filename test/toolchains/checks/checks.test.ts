import { allChecks } from "./all-checks.js";
import { runChecks } from "./check.js";

test("the checks run to their end", () => runChecks(allChecks));
