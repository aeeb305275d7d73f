import { Command, CommanderError, Option } from "commander";
import { redactText } from "../redaction/index.js";
import { printableLines } from "../redaction/internal.js";
import { type CommandDefinition, type CommandOptions, commandTable } from "./command-table.js";
import { CommandError, type ExitCode, exitCodes } from "./exit-codes.js";
import { type Host, paintFor, writeLine } from "./host.js";

/** Runs a command line, and returns what the process ends with. Never throws. */
export async function runCommandLine(given: readonly string[], host: Host): Promise<ExitCode> {
  let exitCode: ExitCode = exitCodes.success;
  const program = makeProgram(host, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync([...given], { from: "user" });
    return exitCode;
  } catch (error) {
    return reportError(error, given, host);
  }
}

function makeProgram(host: Host, ended: (code: ExitCode) => void): Command {
  const program = new Command("toolwright")
    .description("Runs, checks and serves the tools and agents of TypeScript and JavaScript modules.")
    .version(host.version, "-v, --version", "print the version")
    .helpOption("-h, --help", "show this help")
    .helpCommand(false)
    .addHelpText("after", "\nExamples:\n  toolwright list src/tools.ts\n  toolwright call --help\n")
    .configureOutput({
      writeOut: (text) => void host.output.write(text),
      writeErr: (text) => void host.errors.write(text),
      // Errors are reported below, as JSON too.
      outputError: () => undefined,
    })
    .exitOverride();
  for (const definition of commandTable) program.addCommand(makeCommand(definition, program, host, ended));
  return program;
}

function makeCommand(definition: CommandDefinition, program: Command, host: Host, ended: (code: ExitCode) => void): Command {
  const { usage, summary, options, examples, passesOptionsOn } = definition;
  const [name, ...operands] = usage.split(" ");
  const command = program.createCommand(name).copyInheritedSettings(program);
  command.description(summary).helpOption("-h, --help", "show this help");
  for (const operand of operands) command.argument(operand);
  for (const { flags, summary: text, choices, repeats } of options) {
    const option = new Option(flags, text);
    if (choices !== undefined) option.choices(choices);
    if (repeats === true) option.argParser((value: string, before: readonly string[] = []) => [...before, value]);
    command.addOption(option);
  }
  command.addHelpText("after", `\n${examples.length === 1 ? "Example" : "Examples"}:\n${examples.map((line) => `  ${line}\n`).join("")}`);
  // `--help` behind an operand is about that operand.
  if (passesOptionsOn === true) command.allowUnknownOption().allowExcessArguments().helpOption(false);
  command.action(async () => {
    const [first] = command.args;
    if (passesOptionsOn === true && (first === undefined || first === "--help" || first === "-h"))
      command.help({ error: first === undefined });
    const { run } = await definition.load();
    // The table declares what the parser accepts.
    ended(await run(command.args, command.opts() as CommandOptions, host));
  });
  return command;
}

async function reportError(error: unknown, given: readonly string[], host: Host): Promise<ExitCode> {
  const { message, exitCode } = describeError(error, given);
  // Help and the version were printed.
  if (exitCode === exitCodes.success || message === undefined) return exitCode;
  const text = redactText(printableLines(message));
  try {
    // In one line, because `chat` prints a value a line.
    if (given.includes("--json")) await writeLine(host, JSON.stringify({ error: { message: text, exitCode } }));
  } catch {
    // Nothing reads the output, or its disk is full: standard error has the reason.
  }
  host.errors.write(`${paintFor(host, host.errors).red("Error:")} ${text}\n`);
  return exitCode;
}

interface DescribedError {
  readonly message?: string;
  readonly exitCode: ExitCode;
}

function describeError(error: unknown, given: readonly string[]): DescribedError {
  if (error instanceof CommandError) return { message: error.message, exitCode: error.exitCode };
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return { exitCode: exitCodes.success };
    // The parser has printed the help, because no command was given.
    if (error.code === "commander.help") return { exitCode: exitCodes.usage };
    const command = commandTable.find(({ usage }) => usage.split(" ")[0] === given[0]);
    const help = command === undefined ? "toolwright --help" : `toolwright ${given[0]} --help`;
    return { message: `${error.message.replace(/^error: /, "")}\nSee: ${help}`, exitCode: exitCodes.usage };
  }
  if (isFullDisk(error))
    return { message: `${error.message}: the output couldn't be written, because the disk is full.`, exitCode: exitCodes.failed };
  return { message: error instanceof Error ? `${error.name}: ${error.message}` : String(error), exitCode: exitCodes.failed };
}

const isFullDisk = (error: unknown): error is NodeJS.ErrnoException => (error as NodeJS.ErrnoException | undefined)?.code === "ENOSPC";
