import {
  by,
  type CommandOption,
  callOptions,
  context,
  decoratorChoices,
  json,
  modules,
  providerChoices,
  storage,
  templateChoices,
} from "./command-options.js";
import type { ExitCode } from "./exit-codes.js";
import type { Host } from "./host.js";

/** The options of all commands, as the parser gives them. */
export interface CommandOptions {
  /** Whether to print JSON. `call` takes the arguments of the tool with it. */
  readonly json?: boolean | string;
  readonly module?: readonly string[];
  readonly provider?: string;
  readonly strict?: boolean;
  readonly yes?: boolean;
  readonly context?: string;
  readonly model?: string;
  readonly port?: string;
  readonly storage?: string;
  readonly status?: string;
  readonly approve?: boolean;
  readonly deny?: boolean | string;
  readonly edit?: string;
  readonly answer?: string;
  readonly repetitions?: string;
  readonly concurrency?: string;
  readonly threshold?: string;
  readonly runTools?: boolean;
  readonly answers?: string;
  readonly compare?: string;
  readonly baseline?: string;
  readonly html?: string;
  readonly decorators?: string;
  readonly injection?: boolean;
  readonly template?: string;
  readonly out?: string;
  readonly include?: readonly string[];
  readonly baseUrl?: string;
  readonly allowProduction?: boolean;
  readonly by?: string;
  readonly name?: string;
}

/** What the file of a command exports. It is loaded when the command is used. */
export interface CommandModule {
  run(operands: readonly string[], options: CommandOptions, host: Host): Promise<ExitCode>;
}

export interface CommandDefinition {
  /** The name with its operands: `show <tool>`. */
  readonly usage: string;
  readonly summary: string;
  readonly options: readonly CommandOption[];
  /** Shown under the options. */
  readonly examples: readonly string[];
  /** Options that aren't known here are those of the operand, a tool: they are passed on as operands. */
  readonly passesOptionsOn?: true;
  readonly load: () => Promise<CommandModule>;
}

/** In the order of `--help`. A new command is a line here and a file in commands/. */
export const commandTable: readonly CommandDefinition[] = [
  {
    usage: "init [folder]",
    summary: "write a new project, which runs with npm start and npm test; asks on a terminal",
    options: [
      { flags: "--template <name>", summary: "a program, a web server or a Nest application", choices: templateChoices },
      { flags: "--decorators <dialect>", summary: "the decorators of the project", choices: decoratorChoices },
      { flags: "--injection", summary: "inject a service into the tool with typedi" },
      { flags: "--no-injection", summary: "inject none" },
      { flags: "-y, --yes", summary: "take the defaults without asking: plain, legacy, no injection" },
      json,
    ],
    examples: ["toolwright init shop", "toolwright init shop --template web --decorators standard --injection"],
    load: () => import("./commands/init.js"),
  },
  {
    usage: "list [modules...]",
    summary: "list the tools and agents of modules",
    options: [modules, json],
    examples: ["toolwright list src/tools.ts", "toolwright list --json"],
    load: () => import("./commands/list.js"),
  },
  {
    usage: "show <name>",
    summary: "show a tool or an agent: description, parameters, policy",
    options: [modules, json],
    examples: ["toolwright show get_weather"],
    load: () => import("./commands/show.js"),
  },
  {
    usage: "schema [tools...]",
    summary: "print the tools' JSON Schemas, or the tools as a provider's API takes them",
    options: [modules, { flags: "--provider <name>", summary: "the provider's API", choices: providerChoices }, json],
    examples: ["toolwright schema get_weather", "toolwright schema --provider gemini"],
    load: () => import("./commands/schema.js"),
  },
  {
    usage: "check [modules...]",
    summary: "check definitions, descriptions and providers' rules",
    options: [
      modules,
      { flags: "--provider <name>", summary: "check the rules of this provider alone; default: all", choices: providerChoices },
      { flags: "--strict", summary: "fail on warnings too" },
      json,
    ],
    examples: ["toolwright check --strict", "toolwright check src/tools.ts --provider gemini"],
    load: () => import("./commands/check.js"),
  },
  {
    usage: "call [tool]",
    summary: "call a tool; its parameters are options",
    options: callOptions,
    examples: [
      "toolwright call get_weather --city Paris",
      `toolwright call get_weather --json '{"city":"Paris"}'`,
      "toolwright call get_weather --help",
    ],
    passesOptionsOn: true,
    load: () => import("./commands/call.js"),
  },
  {
    usage: "chat <agent> [prompt...]",
    summary: "talk to an agent; with a prompt, answer it and end",
    options: [
      modules,
      { flags: "--model <model>", summary: "the model, such as openai/gpt-5-mini or embedded/keyword" },
      context,
      { flags: "-y, --yes", summary: "approve all calls without asking" },
      { flags: "--json", summary: "print the events of the run, one JSON object a line" },
    ],
    examples: ["toolwright chat shop_agent", 'toolwright chat shop_agent "When are you open?" --model openai/gpt-5-mini'],
    load: () => import("./commands/chat.js"),
  },
  {
    usage: "mcp [modules...]",
    summary: "serve the tools of modules over MCP, on standard input and output or over HTTP",
    options: [
      modules,
      { flags: "--port <number>", summary: "serve over HTTP on this port of this machine; 0 for a free one" },
      context,
      { flags: "--json", summary: "with --port, print the URL as JSON" },
    ],
    examples: ["toolwright mcp src/tools.ts", "toolwright mcp --port 3000"],
    load: () => import("./commands/mcp.js"),
  },
  {
    usage: "eval <agent> <cases>",
    summary: "run an agent on cases, and report how often it does what is expected",
    options: [
      modules,
      { flags: "--model <model>", summary: "the model, such as openai/gpt-5-mini; default: the agent's own" },
      { flags: "--compare <model>", summary: "run another model on the same cases, and compare" },
      { flags: "--baseline <report>", summary: "compare with the report of an earlier evaluation, written with --out" },
      { flags: "--threshold <share>", summary: "end with 1 if a smaller share passes: 0.9 or 90%" },
      { flags: "--repetitions <number>", summary: "how often each case is run; default: 1" },
      { flags: "--concurrency <number>", summary: "runs at once; default: 4" },
      { flags: "--run-tools", summary: "run the tools; default: compare the calls, and run nothing" },
      { flags: "--answers <directory>", summary: "where answers of models are kept; default: .toolwright/answers" },
      { flags: "--html <file>", summary: "write the report as a page" },
      { flags: "--out <file>", summary: "write the report as JSON" },
      json,
    ],
    examples: ["toolwright eval shop_agent cases.jsonl --threshold 90%", "toolwright eval shop_agent cases.ts --compare openai/gpt-5-mini"],
    load: () => import("./commands/eval.js"),
  },
  {
    usage: "runs [run]",
    summary: "list the runs of a storage that wait or go on, or show one",
    options: [
      storage,
      modules,
      { flags: "--status <status>", summary: "list the runs of this status", choices: ["waiting", "running", "ended"] },
      json,
    ],
    examples: ["toolwright runs --storage ./data", "toolwright runs order-7 --storage postgres://localhost/shop"],
    load: () => import("./commands/runs.js"),
  },
  {
    usage: "decide <run> [call]",
    summary: "decide about the calls of a run that wait; without a decision, ask in the terminal",
    options: [
      storage,
      modules,
      { flags: "--approve", summary: "run the call" },
      { flags: "--deny [reason]", summary: "don't run it; the model reads the reason" },
      { flags: "--edit <json>", summary: "run it with other arguments" },
      { flags: "--answer <json>", summary: "answer a call that asks a person" },
      by,
      json,
    ],
    examples: ["toolwright decide order-7 --storage ./data", 'toolwright decide order-7 call_1 --deny "Too expensive" --storage ./data'],
    load: () => import("./commands/decide.js"),
  },
  {
    usage: "studio [modules...]",
    summary: "open the tools, agents and runs of modules in a page on this machine",
    options: [
      modules,
      { flags: "--port <number>", summary: "the port; default: 4650, or a free one if it is taken" },
      context,
      storage,
      by,
      { flags: "--allow-production", summary: "start with NODE_ENV=production too" },
      { flags: "--json", summary: "print the address as JSON" },
    ],
    examples: ["toolwright studio src/tools.ts src/agents.ts", "toolwright studio --storage ./data"],
    load: () => import("./commands/studio.js"),
  },
  {
    usage: "import <kind> <source...>",
    summary: "write typed tool classes: openapi <file>, json-schema <file>, mcp <url or command>",
    options: [
      { flags: "--out <folder>", summary: "where the classes are written; default: src/tools/<name>" },
      {
        flags: "--include <pattern>",
        summary: "openapi: the operations, such as getOrder or GET /orders/*; may be repeated",
        repeats: true,
      },
      { flags: "--base-url <url>", summary: "openapi: the URL of the service, in place of the document's" },
      { flags: "--name <name>", summary: "mcp: the name of the server" },
      json,
    ],
    examples: [
      "toolwright import openapi petstore.json --include 'list*'",
      "toolwright import json-schema tools.json --out src/tools",
      "toolwright import mcp --name files -- npx -y @modelcontextprotocol/server-filesystem .",
    ],
    load: () => import("./commands/import.js"),
  },
];
