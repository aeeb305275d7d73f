/**
 * npm run check
 *
 * Everything that must hold before a change lands, in the order of what fails fastest. Stops at the first failure. CI runs
 * `.ci/run`, which is this after `npm ci`.
 */
import { spawnSync } from "node:child_process";

const sections = [
  ["Build", "npm run --silent build"],
  ["Format", "npm run --silent format:check"],
  ["Lint", "npm run --silent lint"],
  ["Types", "npm run --silent typecheck"],
  ["Arrows", "npm run --silent arrows"],
  ["API report", "npm run --silent api-report -- --check"],
  ["Package", "npm run --silent package"],
  ["Expressions", "npm run --silent expressions"],
  ["Tests", "npm test"],
  ["Tests with all random inputs", "npm run --silent test:random"],
  ["Durable", "npm run --silent test:durable"],
  ["Chaos", "npm run --silent chaos -- --matrix && npm run --silent chaos -- --schedules 40"],
  ["Limits of two workers", "npm run --silent limits"],
  ["Fuzz", "npm run --silent fuzz -- --seconds=60 --seed=1 --margin=1.5"],
  ["Evaluation", "npm run --silent evaluation"],
  ["Examples", "npm run --silent examples"],
  ["Browser", "npm run --silent browser"],
  ["Studio", "npm run --silent studio-check"],
  ["Command line", "npm run --silent command-line"],
  ["Toolchains", "npm run --silent toolchains"],
  ["AI SDK 7", "npm run --silent ai-sdk-7"],
  ["Everywhere, the core", "npm run --silent everywhere -- --core --built"],
];

const seconds = () => Math.round(performance.now() / 1000);

for (const [title, command] of sections) {
  const start = seconds();
  console.log(`\n=== ${title}: ${command}`);
  const { status } = spawnSync(command, { shell: true, stdio: "inherit" });
  if (status !== 0) {
    console.error(`\n${title} failed. Repeat it alone with: ${command}`);
    process.exit(status ?? 1);
  }
  console.log(`--- ${title}: ${seconds() - start} s`);
}
console.log(`\nAll checks passed in ${seconds()} s.`);
