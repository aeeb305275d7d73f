// Where the compiler looks into the declarations of packages, it looks into those of these entries too.

import { allChecks } from "./all-checks.js";
import { runChecks } from "./check.js";

void runChecks(allChecks);
