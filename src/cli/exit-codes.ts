/** What the process ends with. See docs/28-command-line.md. */
export const exitCodes = {
  success: 0,
  /** The command ran, and what it was to do failed: a tool, a check, a model, a module. */
  failed: 1,
  /** The command was used wrongly: an unknown option, a name that matches nothing, a file that isn't there. */
  usage: 2,
  /** A person must decide or answer first, and there was no terminal to ask in. */
  waiting: 3,
  /** Ctrl-C: 128 and the number of the signal. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** An error for the person at the terminal: its message says what to do. */
export class CommandError extends Error {
  override readonly name: string = "CommandError";
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = exitCodes.failed, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** The command was used wrongly. */
export class UsageError extends CommandError {
  override readonly name = "UsageError";

  constructor(message: string) {
    super(message, exitCodes.usage);
  }
}
