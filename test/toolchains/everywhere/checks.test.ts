import { nodeChecks } from "./node-checks.js";
import { outcomesOf } from "./readme.js";

test("the checks run to their end", async () => console.log(await outcomesOf(nodeChecks)));
