/**
 * The table, row by row.
 *
 * A goal limits the ratio of Toolwright's figure to the floor's in the same run, so that it holds on any machine. Goals
 * that were set in time are written as that time over the floor of the machine on which they were set. The floors of
 * writing tools for a provider and of binding weren't measured there: they are taken for 5.5 and 4 ms, a quarter of what
 * docs/benchmarks.md has, as is the median of the floors that were. Where `judged: "value"` stands, the goal limits the figure itself.
 *
 * `section` and `figure` name a member of what `measure.mjs` prints, for Toolwright or another `subject`; `floor` is the subject and
 * figure to divide by.
 */
const same = (section, figure) => ({ section, figure, floor: ["floor", figure] });

export const rows = [
  { row: "validated call, arguments as an object (ns)", ...same("call", "object"), goal: 6 },
  { row: "validated call, from JSON text (ns)", ...same("call", "text"), goal: 2 },
  { row: "the same, the tool reads abortSignal (ns)", ...same("call", "signal"), goal: 1.3 },
  { row: "invalid call to an error text with every fault (ns)", ...same("call", "invalid"), goal: 5_000 / 178 },
  { row: "what the deadline adds to a call (ns)", ...same("deadline", "added"), goal: 300 / 148 },
  { row: "define 1,000 tools with schemas (ms)", ...same("define", "milliseconds"), goal: 25 / 1 },
  { row: "heap per defined tool (bytes)", ...same("define", "bytes"), judged: "value", goal: 4_000 },
  { row: "1,000 tools for a provider, in its strict mode (ms)", ...same("dialects", "cold"), goal: 30 / 5.5 },
  { row: "the same tools for it again (ms)", ...same("dialects", "again"), judged: "value", goal: 3 },
  { row: "one turn with a tool call (µs)", ...same("turn", "one"), goal: 25 / 1.8 },
  { row: "each further step (µs)", ...same("turn", "further"), goal: 12 / 0.9 },
  { row: "run of 1,000 steps (ms)", ...same("steps", "milliseconds"), goal: 25 / 1.9 },
  { row: "growth of a run from 100 to 1,000 steps (exponent)", ...same("steps", "exponent"), judged: "value", goal: 1.1 },
  // Its floor is Toolwright itself with one tool.
  { row: "a step with 200 tools attached; floor: with 1 (µs)", section: "tools", figure: "many", floor: ["toolwright", "one"], goal: 1.3 },
  // Its floor is the same run without a listener.
  {
    row: "a streamed run of 10 steps; floor: the same generated, with a signal (µs)",
    section: "stream",
    figure: "streamed",
    floor: ["toolwright", "generated"],
    goal: 1.3,
  },
  { row: "1,000 concurrent runs with a 5 ms tool (ms)", ...same("concurrent", "milliseconds"), goal: 50 / 8 },
  { row: "calculator, 2 + 2 * 3 (µs)", section: "calculator", figure: "microseconds", judged: "value", goal: 20 },
  { row: "merge 10,000 tools into a registry (ms)", section: "registry", figure: "merge", judged: "value", goal: 50 },
  { row: "look up a tool among 10,000 by its full name (ns)", section: "registry", figure: "lookup", judged: "value", goal: 200 },
  { row: "a run that searches 5,000 deferred tools (ms)", section: "search", figure: "run", judged: "value", goal: 5 },
  { row: "bind 1,000 specifications to their tools (ms)", ...same("specification", "bind"), goal: 20 / 4 },
  // The floors of the next two are Node's own, in the same process.
  { row: "read_file of 4 KB; floor: fs.promises.readFile (µs)", section: "files", figure: "tool", floor: ["toolwright", "plain"], goal: 3 },
  {
    row: "guarded GET of 4 KB; floor: node:http (µs)",
    section: "fetch",
    figure: "guarded",
    floor: ["toolwright", "plain"],
    goal: 1.5,
  },
  // Its floor is the official SDK's own server, in the same process.
  {
    row: "a call over MCP, in memory; floor: the SDK's McpServer (µs)",
    section: "mcp",
    figure: "served",
    floor: ["toolwright", "official"],
    goal: 1.3,
  },
  { row: "what the adapter for the AI SDK adds to a call (ns)", section: "adapters", figure: "aiSdk", judged: "value", goal: 1_000 },
  { row: "the one for LangChain (ns)", section: "adapters", figure: "langChain", judged: "value", goal: 1_000 },
  { row: "the one for the OpenAI Agents SDK (ns)", section: "adapters", figure: "openAiAgents", judged: "value", goal: 1_000 },
  // Its floor is one append with fsync, in the same process. A step with an effect makes two.
  {
    row: "a step with an effect, recorded in a file; floor: one append with fsync (µs)",
    section: "journal",
    figure: "step",
    floor: ["toolwright", "append"],
    goal: 3,
  },
  { row: "growth of a recorded run from 100 to 1,000 steps (exponent)", ...same("journal", "exponent"), judged: "value", goal: 1.1 },
  { row: "bytes of the record per step (bytes)", ...same("journal", "bytes"), judged: "value", goal: 2_000 },
  // Its floor is the same run by the agent alone.
  {
    row: "a run in an evaluation; floor: the agent alone (ms)",
    section: "evaluation",
    figure: "evaluated",
    floor: ["toolwright", "alone"],
    goal: 1.05,
  },
  // The floors are a bare process of the same kind.
  { row: "import as ES module; floor: bare Node (ms)", section: "import", figure: "es", floor: ["bare", "es"], goal: 0.6 },
  { row: "import as CommonJS; floor: bare Node (ms)", section: "import", figure: "commonJs", floor: ["bare", "commonJs"], goal: 0.6 },
  {
    row: "import, define a tool, call it, as ES module; floor: bare Node (ms)",
    section: "import",
    subject: "call",
    figure: "es",
    floor: ["bare", "es"],
    goal: 1,
  },
  {
    row: "the same as CommonJS; floor: bare Node (ms)",
    section: "import",
    subject: "call",
    figure: "commonJs",
    floor: ["bare", "commonJs"],
    goal: 1,
  },
  // Their floor is a bare process, from its start to its end.
  { row: "toolwright list of an ES module; floor: bare Node (ms)", section: "list", figure: "es", floor: ["bare", "process"], goal: 2.5 },
  { row: "of a CommonJS module (ms)", section: "list", figure: "commonJs", floor: ["bare", "process"], goal: 2.5 },
  { row: "of a TypeScript module (ms)", section: "list", figure: "typescript", floor: ["bare", "process"], goal: 2.5 },
  { row: "installed packages", ...same("install", "packages"), judged: "value", goal: 6 },
  { row: "installed size (MB)", ...same("install", "megabytes"), judged: "value", goal: 10 },
];

/** The sections in the order of their rows. */
export const sectionNames = [...new Set(rows.map(({ section }) => section))];
