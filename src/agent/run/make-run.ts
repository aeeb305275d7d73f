// What conversation-runs.ts loads with its first run.
export { newRun } from "./new-run.js";
export { resumedRun, searchObstacles } from "./resumed-run.js";
