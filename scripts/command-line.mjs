/**
 * npm run command-line
 *
 * Takes the packed command line through empty folders, as a user would: `init`, then `npm install`, `npm start` and `npm test` in the new
 * project, then each command in it; and `import openapi` on the documents of the data folder, whose classes must compile and pass `check`.
 * Build first. Needs npm's registry.
 *
 * --all        every variant of `init`; without it, three that differ in all choices
 * --only=TEXT  the variants whose name has this text
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { dataFolder } from "../test/support/data-folder.cjs";

const variants = ["plain", "web"].flatMap((template) =>
  ["legacy", "standard"].flatMap((decorators) => [
    { name: `${template}-${decorators}`, options: ["--template", template, "--decorators", decorators, "--no-injection"] },
    { name: `${template}-${decorators}-injection`, options: ["--template", template, "--decorators", decorators, "--injection"] },
  ]),
);
variants.push({ name: "nest", options: ["--template", "nest"] });
const bounded = ["plain-legacy-injection", "web-standard", "nest"];

const given = process.argv.slice(2);
const only = given.find((word) => word.startsWith("--only="))?.slice("--only=".length);
const chosen = variants.filter(({ name }) =>
  only === undefined ? given.includes("--all") || bounded.includes(name) : name.includes(only),
);

const folder = mkdtempSync(join(tmpdir(), "toolwright-command-line-"));
const answer = "The shop in Main Street is open from 9 to 18.";
const question = 'When is the shop in "Main Street" open?';
let failures = 0;

try {
  const [packed] = JSON.parse(
    execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], { encoding: "utf8" }),
  );
  const tarball = join(folder, packed.filename);
  const home = join(folder, "home");
  mkdirSync(home);
  writeFileSync(join(home, "package.json"), '{"private":true,"type":"module"}');
  run("npm", ["install", "--no-audit", "--no-fund", tarball], home);
  for (const variant of chosen) await step(`init ${variant.name}`, () => tryProject(variant, home, tarball));
  if (only === undefined) await step("import openapi", () => importDocuments(join(home, "plain-legacy-injection")));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(failures === 0 ? "\nThe command line works." : `\n${failures} failed.`);
process.exit(failures === 0 ? 0 : 1);

async function step(title, work) {
  try {
    await work();
    console.log(`works: ${title}`);
  } catch (error) {
    failures += 1;
    console.error(`FAILS: ${title}\n${error.message}`);
  }
}

/** Throws with the output if the program ends otherwise. */
function run(program, parameters, cwd, { exitCode = 0, input = "" } = {}) {
  const { status, stdout, stderr } = spawnSync(program, parameters, { cwd, encoding: "utf8", input, timeout: 300_000 });
  if (status === exitCode) return stdout;
  throw new Error(`${program} ${parameters.join(" ")} ended with ${status} in place of ${exitCode}:\n${stdout}\n${stderr}`);
}

function expect(text, part, what) {
  if (!text.includes(part)) throw new Error(`${what} lacks ${JSON.stringify(part)}:\n${text}`);
}

async function tryProject({ name, options }, home, tarball) {
  run("npx", ["toolwright", "init", name, ...options], home);
  const project = join(home, name);
  // This version isn't on the registry.
  run("npm", ["pkg", "set", `dependencies.toolwright=file:${tarball}`], project);
  run("npm", ["install", "--no-audit", "--no-fund"], project);
  if (name.startsWith("plain")) expect(run("npm", ["start"], project), answer, "npm start");
  else await askServer(project);
  run("npm", ["test"], project);
  run("npm", ["run", "check"], project);
  useCommands(project, name);
}

/** Every command that a project without a model of a provider can use. */
function useCommands(project, name) {
  const toolwright = (parameters, options) => run("npx", ["toolwright", ...parameters], project, options);
  expect(toolwright(["list"]), "opening_hours", "list");
  expect(toolwright(["show", "opening_hours"]), "street", "show");
  expect(toolwright(["schema", "--provider", "gemini"]), "opening_hours", "schema");
  toolwright(["show", "nothing"], { exitCode: 2 });
  if (name === "nest") return;
  expect(toolwright(["call", "opening_hours", "--street", "Main Street"]), answer, "call");
  expect(toolwright(["chat", "shop_agent", question]), answer, "chat");
  expect(toolwright(["chat", "shop_agent"], { input: `${question}\n` }), answer, "chat");
}

/** Starts the server of a project, asks it once and ends it. */
async function askServer(project) {
  run("npx", ["tsc"], project);
  const server = spawn(process.execPath, ["dist/main.js"], {
    cwd: project,
    env: { ...process.env, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    let printed = "";
    for await (const piece of server.stdout) {
      printed += piece;
      if (printed.includes("Ask: POST")) break;
    }
    const [, url] = /(http:\S+\/chat)/.exec(printed) ?? [];
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ prompt: question }),
    });
    expect(await response.text(), answer, "the server's answer");
  } finally {
    server.kill();
  }
}

function importDocuments(project) {
  if (!existsSync(project)) return;
  const documents = resolve(dataFolder, "openapi");
  for (const file of readdirSync(documents).filter((name) => name.endsWith(".json"))) {
    const out = `src/imported/${basename(file, ".json")}`;
    run("npx", ["toolwright", "import", "openapi", join(documents, file), "--base-url", "https://api.example.com", "--out", out], project);
    const { errors, tools } = JSON.parse(run("npx", ["toolwright", "check", `${out}/index.ts`, "--json"], project));
    if (errors > 0 || tools === 0) throw new Error(`${file}: ${tools} tools, ${errors} errors.`);
  }
  run("npx", ["tsc", "--noEmit"], project);
}
