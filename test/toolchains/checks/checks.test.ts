import { allChecks } from "./all-checks.js";
import { runChecks } from "./check.js";

declare const test: (name: string, run: () => Promise<void>) => void;

test("the checks run to their end", () => runChecks(allChecks));
