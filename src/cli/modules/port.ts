import { UsageError } from "../exit-codes.js";

/** The port that `--port` names. */
export function portOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const port = Number(given);
  if (/^\d+$/.test(given) && port <= 65_535) return port;
  throw new UsageError(`--port must be a whole number from 0 to 65535, 0 for one that is free; got "${given}".`);
}
