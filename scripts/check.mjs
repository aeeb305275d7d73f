/**
 * npm run check [-- --built]
 *
 * Everything that must hold before a change lands, in the order of what fails fastest. Stops at the first failure. CI runs
 * `.ci/run`, which is this after `npm ci`. With `--built`, dist/ isn't built again.
 */
import { spawn } from "node:child_process";

/** Most of these use one core, so that two run at once. */
const quick = [
  ["Types", "npm run --silent typecheck"],
  ["Format", "npm run --silent format:check"],
  ["Lint", "npm run --silent lint"],
  ["Arrows", "npm run --silent arrows"],
  ["API report", "npm run --silent api-report -- --check"],
  ["Package", "npm run --silent package"],
  ["Bundle size", "npm run --silent bundle-size"],
  ["Expressions", "npm run --silent expressions"],
];
/** These use all cores, or judge times. */
const thorough = [
  ["Tests", "npm test"],
  ["Tests of types", "npm run --silent test:types"],
  ["Tests with processes", "npm run --silent test:processes"],
  ["Tests with all random inputs", "npm run --silent test:random"],
  ["Durable", "npm run --silent test:durable"],
  ["Chaos", "npm run --silent chaos -- --matrix && npm run --silent chaos -- --schedules 100"],
  ["Limits of two workers", "npm run --silent limits"],
  ["Fuzz", "npm run --silent fuzz -- --seconds=60 --seed=1 --margin=1.5"],
  ["Evaluation", "npm run --silent evaluation"],
  ["Examples", "npm run --silent examples"],
  ["Browser", "npm run --silent browser"],
  ["Studio", "npm run --silent studio-check"],
  ["Command line", "npm run --silent command-line"],
  ["Toolchains", "npm run --silent toolchains -- --built"],
  ["AI SDK 7", "npm run --silent ai-sdk-7"],
  ["Everywhere, the core", "npm run --silent everywhere -- --core --built"],
];

const seconds = () => Math.round(performance.now() / 1000);

/** Runs a command to its end, and the process with it if the command fails. What it prints is kept until then if another one runs beside it. */
async function run([title, command], isAlone) {
  const start = seconds();
  const heading = `\n=== ${title}: ${command}`;
  if (isAlone) console.log(heading);
  const child = spawn(command, { shell: true, stdio: isAlone ? "inherit" : ["ignore", "pipe", "pipe"] });
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (text) => printed.push(text));
  const status = await new Promise((resolve) => child.once("close", resolve));
  if (!isAlone) process.stdout.write(Buffer.concat([Buffer.from(`${heading}\n`), ...printed]));
  if (status !== 0) {
    console.error(`\n${title} failed. Repeat it alone with: ${command}`);
    process.exit(status ?? 1);
  }
  console.log(`--- ${title}: ${seconds() - start} s`);
}

/** Takes the sections one after another from a list that another call may take from, too. */
async function runAll(sections, isAlone) {
  for (let section = sections.shift(); section !== undefined; section = sections.shift()) await run(section, isAlone);
}

if (!process.argv.includes("--built")) await run(["Build", "npm run --silent build"], true);
await Promise.all([runAll(quick, false), runAll(quick, false)]);
await runAll(thorough, true);
console.log(`\nAll checks passed in ${seconds()} s.`);
