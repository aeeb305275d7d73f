// The options of commands. They have a file of their own, because commands need some of them, and the table needs the commands.

/** An option of a command, as `--help` shows it. */
export interface CommandOption {
  /** `--provider <name>`. */
  readonly flags: string;
  readonly summary: string;
  /** The only values that it takes. */
  readonly choices?: readonly string[];
  /** It may be given several times, with one value each. */
  readonly repeats?: true;
}

export const json: CommandOption = { flags: "--json", summary: "print JSON" };
export const modules: CommandOption = {
  flags: "-m, --module <file>",
  summary: 'a module with tools or agents, may be repeated; default: "toolwright.modules" of package.json',
  repeats: true,
};
export const storage: CommandOption = {
  flags: "--storage <address>",
  summary: "a directory, a SQLite file or postgres://...; default: the storage that the modules export",
};
export const by: CommandOption = { flags: "--by <name>", summary: "who decides; default: the name of your user on this machine" };
export const context: CommandOption = { flags: "--context <file>", summary: "a JSON file with the tools' context" };

/** The names of `--provider`: those of the providers' APIs, and `openai` for the first of them. */
export const providerChoices = [
  "openai",
  "openai-chat",
  "openai-responses",
  "anthropic",
  "gemini",
  "bedrock",
  "mistral",
  "ollama",
] as const;

/** Those of `call`; the parameters of the tool are options too. */
export const callOptions: readonly CommandOption[] = [
  modules,
  { flags: "--json [arguments]", summary: "the arguments as a JSON object; prints JSON" },
  context,
  { flags: "-y, --yes", summary: "run a tool that needs approval without asking" },
];

/** `["module", "json"]` of `-m, --module <file>` and `--json`. */
export const optionNamesOf = (options: readonly CommandOption[]): readonly string[] =>
  options.flatMap(({ flags }) => /--([\w-]+)/.exec(flags)?.[1] ?? []);

/** What `init` writes, first the default. */
export const templateChoices = ["plain", "web", "nest"] as const;
export const decoratorChoices = ["legacy", "standard"] as const;
