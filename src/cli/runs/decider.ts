import type { CommandOptions } from "../command-table.js";
import type { Host } from "../host.js";

/** Who decides: as `--by` says, or the name of the user on this machine; `undefined` if there is none. */
export function deciderOf({ by }: CommandOptions, { env }: Pick<Host, "env">): string | undefined {
  const name = by ?? env.USER ?? env.USERNAME ?? "";
  return name === "" ? undefined : name;
}
