import { nodeChecks } from "./node-checks.js";
import { outcomesOf } from "./readme.js";

void outcomesOf(nodeChecks).then((lines) => {
  console.log(lines);
  process.exit();
});
