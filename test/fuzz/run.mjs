/**
 * npm run fuzz [-- --seconds=60] [--seed=1] [--only=schemas,patterns] [--margin=1] [--input='{"family":...}']
 *
 * Makes hostile inputs from a seed, uses the built package on them as an application would, and looks at what each costs: at most 200 ms of
 * processor time and 200 MB for any input within the published caps; for OpenAPI documents and pages no block of the event loop over
 * 200 ms, and twice the input at most 2.5 times the cost. Only named errors may be thrown.
 *
 * Times are divided by what a calibration loop takes in the same process, over what it took on the machine that the limits were set on. An
 * input counts as a find only if three repeats agree, each alone in a fresh process. `--input` judges one input, as a find prints it.
 * `--margin` multiplies the limits: a build must not fail by an input that is a little over them on one machine.
 */
import { fork, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { familyNames, loadFamily } from "./families/index.mjs";
import { written } from "./input.mjs";
import { limits as strictLimits } from "./measure.mjs";

const { values: options } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    seed: { type: "string", default: String(Math.floor(Date.now() / 1_000)) },
    only: { type: "string", default: familyNames.join(",") },
    margin: { type: "string", default: "1" },
    input: { type: "string" },
  },
});
const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const stop = (message) => {
  process.stderr.write(`${message}\n`);
  process.exit(2);
};
if (!existsSync(path("../../dist/esm/index.js"))) stop("The package is not built. Run npm run build.");
const wanted = options.only.split(",");
for (const name of wanted) if (!familyNames.includes(name)) stop(`No family is called "${name}". Families: ${familyNames.join(", ")}.`);
const [seconds, seed] = [Number(options.seconds), Number(options.seed)];
if (!(seconds > 0) || !Number.isInteger(seed)) stop("--seconds takes a number over 0, --seed a whole number.");

const margin = Number(options.margin);
if (!(margin >= 1)) stop("--margin takes a number of 1 or more.");
const limits = Object.fromEntries(Object.entries(strictLimits).map(([name, limit]) => [name, limit * margin]));

const flags = ["--expose-gc", "--max-old-space-size=1500"];
/** Milliseconds after which a process is stopped that measures one input. */
const patience = 20_000;
/** What costs this share of a limit during the search is judged alone: the process that searches is neither cold nor idle. */
const suspicious = 0.7;
const repeats = 3;
/** Processor milliseconds below which what it costs to begin hides how the cost grows. */
const countable = 40;

/** One repeat alone: what it cost, or `stopped` if it didn't end. */
function measureAlone(input) {
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [...flags, path("judge.mjs"), JSON.stringify(input)], {
    encoding: "utf8",
    timeout: patience,
    killSignal: "SIGKILL",
  });
  if (status === 0) return JSON.parse(stdout.trim().split("\n").at(-1));
  if (error?.code === "ETIMEDOUT") return { stopped: `not done after ${patience} ms` };
  return { stopped: `the process ended with ${status ?? "a signal"}: ${stderr.trim().split("\n").at(-1).slice(0, 300)}` };
}

/** What is wrong with an input, by three repeats that agree; `undefined` if nothing is. */
async function judge(input) {
  const { judged } = await loadFamily(input.family);
  const costs = Array.from({ length: repeats }, () => measureAlone(input));
  if (costs.every(({ stopped }) => stopped)) return costs[0].stopped;
  const ended = costs.filter(({ stopped }) => !stopped);
  const fault = ended.map((cost) => cost.fault).find(Boolean);
  if (fault) return fault;
  const least = (figure) => Math.min(...ended.map((cost) => cost[figure]));
  for (const [figure, unit] of [
    ["processor", "ms of processor time"],
    ["block", "ms of the event loop"],
    ["memory", "MB"],
  ]) {
    if (judged.includes(figure) && least(figure) > limits[figure])
      return `${Math.round(least(figure))} ${unit}, and ${limits[figure]} are the limit`;
  }
  if (judged.includes("growth") && input.share === 1) {
    const half = Math.max(
      ...Array.from({ length: repeats }, () => measureAlone({ ...input, share: input.share / 2 }).processor ?? Number.POSITIVE_INFINITY),
    );
    if (half > countable && least("processor") / half > limits.growth) {
      return `${(least("processor") / half).toFixed(1)} times the cost of half the input (${Math.round(half)} ms), and ${limits.growth} are the limit`;
    }
  }
  return undefined;
}

/** Whether what an input cost in the search is worth a judgement. */
function isSuspicious({ judged }, { processor, block, memory, fault, half }) {
  if (fault) return true;
  const cost = { processor, block, memory };
  if (["processor", "block", "memory"].some((figure) => judged.includes(figure) && cost[figure] > limits[figure] * suspicious)) return true;
  return half > countable && processor / half > limits.growth;
}

/** Searches a family for `time` ms, however often the process that does it must be replaced. Gives the number of inputs and the suspects. */
async function search(name, time) {
  const family = await loadFamily(name);
  const suspects = new Map();
  const until = Date.now() + time;
  let begun = 0;
  let worst = { cost: 0 };
  const once = () =>
    new Promise((resolve) => {
      const child = fork(path("search.mjs"), [name, String(seed), String(until), String(begun)], { execArgv: flags, silent: true });
      let current;
      let timer;
      const watch = () => {
        clearTimeout(timer);
        timer = setTimeout(() => child.kill("SIGKILL"), patience);
      };
      watch();
      child.on("message", (message) => {
        watch();
        if (message.begun) {
          begun++;
          current = message.begun;
          return;
        }
        current = undefined;
        const cost = family.judged.includes("processor") ? message.processor : message.block;
        if (cost > worst.cost) worst = { cost, input: message.input };
        if (isSuspicious(family, message)) suspects.set(`${message.input.shape}`, message.input);
      });
      let lastWords = "";
      child.stderr.on("data", (chunk) => (lastWords = (lastWords + chunk).slice(-2_000)));
      child.on("exit", (status) => {
        clearTimeout(timer);
        if (status === 0) return resolve(true);
        if (current === undefined) stop(`The search of ${name} can't begin:\n${lastWords}`);
        suspects.set(current.shape, current);
        return resolve(false);
      });
    });
  while (!(await once())) if (Date.now() > until + patience) break;
  return { begun, worst, suspects: [...suspects.values()] };
}

const finds = [];
async function look(input) {
  const problem = await judge(input);
  process.stdout.write(`  ${problem === undefined ? "passes alone" : `FIND: ${problem}`}: ${written(input)}\n`);
  if (problem !== undefined) finds.push(input);
}

if (options.input !== undefined) await look(JSON.parse(options.input));
else {
  process.stdout.write(`${seconds} s of search, seed ${seed}\n`);
  const end = Date.now() + seconds * 1_000;
  for (const [index, name] of wanted.entries()) {
    const time = Math.max(0, (end - Date.now()) / (wanted.length - index));
    const { title } = await loadFamily(name);
    const { begun, worst, suspects } = await search(name, time);
    process.stdout.write(
      `${title}: ${begun} inputs; the dearest took ${Math.round(worst.cost)} ms: ${worst.input ? written(worst.input) : "none"}\n`,
    );
    for (const input of suspects) await look(input);
  }
}
process.stdout.write(finds.length === 0 ? "No finds.\n" : `${finds.length} finds. Repeat one by npm run fuzz -- --input='...'\n`);
process.exit(finds.length === 0 ? 0 : 1);
