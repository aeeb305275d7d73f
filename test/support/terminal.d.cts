/** Whether this machine has a program that makes terminals. */
export const hasTerminal: boolean;

/** What a person types besides letters. */
export const keys: { readonly enter: string; readonly controlC: string; readonly controlD: string };

export interface TerminalSession {
  readonly cwd?: string;
  /** What must stand there, and what is typed then. */
  readonly turns?: readonly (readonly [sees: string, types: string])[];
  /** Milliseconds. Default: 25 seconds. */
  readonly timeout?: number;
}

/** Runs a command line in a terminal; rejects if it doesn't show what a turn waits for, or doesn't end. */
export function runInTerminal(
  commandLine: string,
  session: TerminalSession,
): Promise<{ readonly exitCode: number | null; readonly text: string }>;
