/**
 * The arrows between the rooms of src/. Each room may import the rooms listed and, through them, what those may import;
 * always by the other room's doors: its index.ts, which applications see too, and its internal.ts.
 */
const arrows = {
  // Ground: rooms that know nothing of tools.
  // Which names and values are secret, and what a log, a terminal or an outsider may read. All text that leaves goes through here.
  redaction: [],
  // A plug-in for bundlers. It runs in builds, so it mustn't load the library that it writes types for.
  bundler: [],
  // What the library takes from Node, loaded when it is first needed.
  platform: [],
  // Timers, and work in turns that lets the event loop serve others.
  timing: [],
  // Where an application's data outlives a process: a database form can be added without knowing what an agent is.
  storage: ["redaction", "platform"],
  // JSON Schema in and out: validation, repairs and faults work on any schema, whatever made it.
  schema: ["redaction"],
  // A guarded HTTP client that a program without tools could use.
  net: ["timing"],

  // What a tool's author writes: classes, decorators, and the definition that they resolve to.
  tool: ["schema", "timing", "redaction", "platform"],
  // The only code that calls a tool. Every door goes through it, so every rule holds at every door.
  execution: ["tool"],
  // Tools in worker threads and processes. The executor doesn't know them, so that a bundle for the edge needs neither.
  isolation: ["execution"],
  // One port for all models, so that an agent doesn't know its provider.
  models: ["tool"],
  // What a person is asked and answers, whoever asks: it also serves doors without an agent.
  confirmation: ["execution", "storage"],
  // A run as a pure reducer over plain data: no I/O, so that it can be stored, resumed and tested anywhere.
  loop: ["models", "confirmation"],
  // The history of messages: what is kept, paired, trimmed and sent.
  conversation: ["loop", "storage"],
  // Which of many tools fit a few words. It knows definitions alone, so that any list of tools can be searched.
  "tool-search": ["execution", "models"],
  // Agent classes: they join the loop to models and tools.
  agent: ["execution", "loop", "conversation", "tool-search"],

  // Names and permissions for many tools of many owners.
  registry: ["execution", "tools"],
  // Agents and tools from data in place of classes.
  specification: ["agent", "registry"],
  // Tools over HTTP without code.
  http: ["tool", "net"],
  // Tools that come with the library.
  tools: ["tool", "net"],

  // The public doors, one room each: a framework's version may change without touching anything above.
  web: ["agent", "registry", "durable"],
  mcp: ["agent", "registry", "web"],
  nest: ["agent", "registry", "web"],
  adapters: ["agent", "registry"],

  // Listeners that write spans, metrics and logs.
  observability: ["agent"],
  // Runs that survive their process.
  durable: ["agent"],
  // How often an agent does what is expected: it runs agents as any application does, so that what it measures is what users get.
  evaluation: ["agent"],
  // Advice about definitions, for authors and CI.
  lint: ["tool"],
};
// `testing`, `studio` and `cli` may import all rooms. The studio is a page on this machine for a developer, and a client of the others. The
// command line alone imports it, and nothing imports `cli`.
const rooms = [...Object.keys(arrows), "testing", "cli", "studio"];

const reachable = (room) => [room, ...(arrows[room] ?? rooms).flatMap((next) => (next in arrows ? reachable(next) : [next]))];

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    ...rooms.map((room) => ({
      name: `${room}-imports-only-what-it-may`,
      severity: "error",
      from: { path: `^src/${room}/` },
      to: { path: "^src/", pathNot: `^src/(${[...new Set(reachable(room))].join("|")})/` },
    })),
    {
      name: "known-room",
      comment: "A new room is added to the arrows above.",
      severity: "error",
      from: {},
      to: { path: "^src/[^/]+/", pathNot: `^src/(${rooms.join("|")})/` },
    },
    {
      name: "through-the-door",
      comment: "Other rooms see a room's index.ts and, for what no application needs, its internal.ts.",
      severity: "error",
      from: { path: "^src/([^/]+)/" },
      to: { path: "^src/[^/]+/.", pathNot: ["^src/$1/", "^src/[^/]+/(index|internal)\\.ts$"] },
    },
    {
      name: "entry-through-the-door",
      severity: "error",
      from: { path: "^src/[^/]+\\.ts$" },
      to: { path: "^src/[^/]+/.", pathNot: "^src/[^/]+/index\\.ts$" },
    },
    {
      name: "nothing-imports-the-command-line",
      comment: "It is a program: what it does, applications can do by the functions that it calls.",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/cli/" },
      to: { path: "^src/cli/" },
    },
    {
      name: "the-command-line-alone-imports-the-studio",
      comment: "It holds no logic that the library lacks.",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/(cli|studio)/" },
      to: { path: "^src/studio/" },
    },
    {
      name: "the-page-imports-nothing-of-the-library",
      comment: "It runs in a browser, and is a client of the studio's API.",
      severity: "error",
      from: { path: "^src/studio/page/" },
      to: { pathNot: ["^src/studio/page/", "^src/studio/api\\.ts$", "node_modules/preact/"] },
    },
    {
      name: "nothing-imports-the-page",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/studio/page/" },
      to: { path: "^src/studio/page/" },
    },
    {
      name: "command-parser-stays-in-cli",
      comment: "The packages of the command line are bundled with it, and nothing else may need them.",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/cli/" },
      to: { path: "node_modules/(commander|get-tsconfig)/" },
    },
    {
      name: "no-cycle",
      comment: "Cycles of types alone do no harm at run time.",
      severity: "error",
      from: { path: "^src/" },
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "engine-stays-in-schema",
      comment: "The validation engine can be exchanged in one room.",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/schema/validation/" },
      to: { path: "node_modules/typebox/" },
    },
    {
      name: "search-engine-is-loaded-on-use",
      comment: "The index is imported by the first search, so that nothing else loads the engine.",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/tool-search/keyword-index" },
      to: { path: "node_modules/minisearch/" },
    },
    {
      name: "resolvable",
      severity: "error",
      from: { path: "^src/" },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "require", "node", "default", "types"] },
  },
};
