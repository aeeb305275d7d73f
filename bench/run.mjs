/**
 * npm run bench [-- --quick] [--only=call,define] [--json] [--write]
 *
 * Measures Toolwright beside a hand-written floor and two peers on this machine and prints the table of `rows.mjs`.
 * Each section of each subject runs in a fresh process; Toolwright and the floor take turns over the rounds and the
 * median of the rounds counts; the peers run in the first round only.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { installOf, ownInstall, versionOf } from "./install.mjs";
import { markdownTable, textTable } from "./report.mjs";
import { rows, sectionNames } from "./rows.mjs";

const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string", default: sectionNames.join(",") },
    json: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
});
const root = fileURLToPath(new URL("..", import.meta.url));
const page = fileURLToPath(new URL("../docs/benchmarks.md", import.meta.url));
const wanted = options.only.split(",");
const stop = (message) => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
};
for (const name of wanted) if (!sectionNames.includes(name)) stop(`No section is called "${name}". Sections: ${sectionNames.join(", ")}.`);
if (options.write && wanted.length < sectionNames.length) stop("--write needs the whole table: leave out --only.");
if (!existsSync(`${root}/dist/esm/index.js`)) stop("The package is not built, and its build is what is measured. Run npm run build.");

/** Which subjects have which sections; the first two are measured in every round. */
const subjects = {
  toolwright: { packages: undefined, sections: sectionNames },
  floor: {
    packages: undefined,
    sections: ["call", "deadline", "define", "dialects", "specification", "turn", "steps", "tools", "concurrent"],
  },
  "ai-sdk": { packages: ["ai", "zod"], sections: ["call", "define", "turn", "steps", "tools", "concurrent", "import", "install"] },
  "class-validator": { packages: ["class-transformer", "class-validator"], sections: ["call", "define", "import", "install"] },
};
const rounds = options.quick ? 1 : 3;

/** `samples[section][subject][figure]`: one number per round. */
const samples = Object.fromEntries(sectionNames.map((section) => [section, {}]));
function record(section, subject, figures) {
  const kept = (samples[section][subject] ??= {});
  for (const [name, value] of Object.entries(figures)) (kept[name] ??= []).push(value);
}

function node(parameters) {
  const { status, stdout, stderr } = spawnSync(process.execPath, parameters, { cwd: root, encoding: "utf8", timeout: 300_000 });
  if (status !== 0) stop(`node ${parameters.join(" ")} failed:\n${stderr}`);
  return stdout;
}

function measureSection(section, subject) {
  record(section, subject, JSON.parse(node(["--expose-gc", "bench/measure.mjs", subject, section, ...(options.quick ? ["--quick"] : [])])));
}

const firstCall =
  'const tool = createTool("add", "Adds. Use to add.", { type: "object", properties: { a: { type: "number" } } }, ({ a }) => a + 1);' +
  'await new ToolExecutor({ tools: [tool] }).run("add", { a: 1 });';

/** What a fresh process does, as an ES module and as CommonJS. */
const starts = {
  bare: { es: "", commonJs: "" },
  toolwright: { es: 'import "toolwright";', commonJs: 'require("toolwright");' },
  call: {
    es: `import { createTool } from "toolwright"; import { ToolExecutor } from "toolwright/execution"; ${firstCall}`,
    commonJs: `const { createTool } = require("toolwright"); const { ToolExecutor } = require("toolwright/execution"); (async () => { ${firstCall} })();`,
  },
};

/**
 * Processor time of a process that does it, less that of a bare process of its kind. The peers are imported as ES modules. Turns are
 * taken, because a machine has faster and slower minutes.
 */
function measureImports() {
  const tell =
    'process.on("exit", () => { const { user, system } = process.cpuUsage(); process.stdout.write(String((user + system) / 1e3)); });';
  const kinds = { es: ["--input-type=module", "--eval"], commonJs: ["--input-type=commonjs", "--eval"] };
  const peers = Object.entries(subjects).filter(([, { packages }]) => packages);
  const programs = [
    ...Object.entries(starts).flatMap(([subject, program]) => Object.keys(kinds).map((kind) => [subject, kind, program[kind]])),
    ...peers.map(([subject, { packages }]) => [subject, "es", packages.map((name) => `import ${JSON.stringify(name)};`).join("")]),
  ];
  const times = programs.map(() => []);
  for (let index = 0; index < (options.quick ? 5 : 21); index++) {
    for (const [place, [, kind, program]] of programs.entries()) times[place].push(Number(node([...kinds[kind], `${program}${tell}`])));
  }
  const timeOf = (subject, kind) => median(times[programs.findIndex(([one, other]) => one === subject && other === kind)]);
  for (const subject of new Set(programs.map(([name]) => name))) {
    const bare = (kind) => (subject === "bare" ? 0 : timeOf("bare", kind));
    const measured = programs.filter(([name]) => name === subject).map(([, kind]) => [kind, timeOf(subject, kind) - bare(kind)]);
    record("import", subject, Object.fromEntries(measured));
  }
}

/** A module with one tool, in each form that `toolwright list` loads. */
const listed = {
  es: ["tools.mjs", 'import { createTool } from "toolwright"; export const ping = '],
  commonJs: ["tools.cjs", 'const { createTool } = require("toolwright"); exports.ping = '],
  typescript: ["tools.ts", 'import { createTool } from "toolwright"; export const ping: object = '],
};

/** Time of `toolwright list`, and of a bare process, from start to end: what a person waits for. Turns are taken. */
function measureList() {
  const folder = `${root}build/bench-list`;
  mkdirSync(folder, { recursive: true });
  const tool = 'createTool("ping", "Answers. Use to see that it works.", { type: "object" }, () => "pong");\n';
  for (const [file, head] of Object.values(listed)) writeFileSync(`${folder}/${file}`, head + tool);
  const programs = {
    bare: ["--eval", "0"],
    ...Object.fromEntries(Object.entries(listed).map(([kind, [file]]) => [kind, ["dist/esm/cli/main.js", "list", `${folder}/${file}`]])),
  };
  const times = Object.fromEntries(Object.keys(programs).map((kind) => [kind, []]));
  for (let index = 0; index < (options.quick ? 5 : 21); index++) {
    for (const [kind, parameters] of Object.entries(programs)) {
      const begun = performance.now();
      node(parameters);
      times[kind].push(performance.now() - begun);
    }
  }
  const { bare, ...lists } = Object.fromEntries(Object.entries(times).map(([kind, values]) => [kind, median(values)]));
  record("list", "toolwright", lists);
  record("list", "bare", { process: bare });
}

function measureInstalls() {
  record("install", "toolwright", ownInstall());
  for (const [subject, { packages }] of Object.entries(subjects)) if (packages) record("install", subject, installOf(packages));
}

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}

function summary(section, subject, name) {
  const values = samples[section][subject]?.[name];
  return values && { value: median(values), least: Math.min(...values), most: Math.max(...values) };
}

const startLoad = loadavg()[0];
const start = performance.now();
for (let round = 0; round < rounds; round++) {
  for (const section of wanted) {
    const measureOnce = { import: measureImports, list: measureList, install: measureInstalls }[section];
    if (measureOnce !== undefined) {
      if (round === 0) measureOnce();
      continue;
    }
    for (const [subject, { packages, sections }] of Object.entries(subjects)) {
      if (sections.includes(section) && (round === 0 || packages === undefined)) measureSection(section, subject);
    }
    process.stderr.write(`round ${round + 1} of ${rounds}: ${section}, ${Math.round((performance.now() - start) / 1e3)} s\n`);
  }
}

const results = rows
  .filter(({ section }) => wanted.includes(section))
  .map(({ row, section, subject = "toolwright", figure, floor: [floorSubject, floorFigure] = [], judged = "ratio", goal }) => {
    const toolwright = summary(section, subject, figure);
    const floor = summary(section, floorSubject, floorFigure);
    // A difference of two figures may come out below 0 on a noisy machine; then there is nothing to divide by.
    const ratio = judged === "ratio" && floor.value > 0 ? toolwright.value / floor.value : null;
    const met = judged === "ratio" ? ratio !== null && ratio < goal : toolwright.value < goal;
    return {
      row,
      toolwright,
      floor,
      ratio,
      judged,
      goal,
      met,
      aiSdk: subject === "toolwright" ? summary(section, "ai-sdk", figure) : undefined,
      classValidator: subject === "toolwright" ? summary(section, "class-validator", figure) : undefined,
    };
  });

const machine = [
  `${cpus()[0].model}, ${availableParallelism()} cores, load ${startLoad.toFixed(1)} before and ${loadavg()[0].toFixed(1)} after, Node ${process.versions.node}`,
  ["ai", "zod", "class-transformer", "class-validator"].map((name) => `${name} ${versionOf(name)}`).join(", "),
];

if (options.json) {
  const plain = results.map(({ row, toolwright, floor, ratio, goal, met }) => ({
    row,
    value: toolwright.value,
    floor: floor?.value ?? null,
    ratio,
    goal,
    met,
  }));
  process.stdout.write(`${JSON.stringify(plain, null, 2)}\n`);
} else {
  console.log(`\n${textTable(results)}\n\n${machine.join("\n")}`);
}

if (options.write) {
  const [begin, end] = ["<!-- figures: begin -->", "<!-- figures: end -->"];
  const text = readFileSync(page, "utf8");
  const [before, after] = [text.slice(0, text.indexOf(begin) + begin.length), text.slice(text.indexOf(end))];
  writeFileSync(page, `${before}\n${markdownTable(results)}\n\n${machine.join("; ")}.\n${after}`);
}
