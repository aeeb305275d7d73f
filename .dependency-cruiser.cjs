/**
 * The arrows between the rooms of src/. Each room may import the rooms listed and, through them, what those may import;
 * always by the other room's doors: its index.ts, which applications see too, and its internal.ts.
 */
const arrows = {
  timing: [],
  schema: [],
  net: ["timing"],
  tool: ["schema", "timing"],
  execution: ["tool"],
  models: ["tool"],
  agent: ["execution", "models"],
  registry: ["execution", "tools"],
  specification: ["agent", "registry"],
  http: ["tool", "net"],
  tools: ["tool", "net"],
  interop: ["agent", "registry"],
  observability: ["agent"],
  durable: ["agent"],
  lint: ["tool"],
};
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
      from: { path: "^src/", pathNot: "^src/schema/" },
      to: { path: "node_modules/typebox/" },
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
