import { userInfo } from "node:os";
import type { CommandOptions } from "../command-table.js";
import type { Host } from "../host.js";

/** Who decides: as `--by` says, or the name of the user on this machine; `undefined` if there is none. */
export function deciderOf({ by }: CommandOptions, { env }: Pick<Host, "env">): string | undefined {
  const name = by ?? env.USER ?? env.USERNAME ?? systemName();
  return name === "" ? undefined : name;
}

/** A container may run a user id that has no name. */
function systemName(): string {
  try {
    return userInfo().username;
  } catch {
    return "";
  }
}
