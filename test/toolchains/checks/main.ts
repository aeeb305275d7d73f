// Where the compiler looks into the declarations of packages, it looks into those of these entries too.
import type {} from "toolwright/gram";
import type {} from "toolwright/http";
import type {} from "toolwright/lint";
import type {} from "toolwright/registry";
import type {} from "toolwright/specification";
import type {} from "toolwright/tools";
import type {} from "toolwright/web";
import { allChecks } from "./all-checks.js";
import { runChecks } from "./check.js";

void runChecks(allChecks);
