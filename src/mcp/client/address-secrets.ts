import type { McpServerAddress } from "./mcp-server-address.js";

/** `--api-key=...`, `API_KEY=...`, `Authorization: Bearer ...`. */
const assignment = /^-*(?!-)([\w.-]+)(?:=|: *)(.+)$/s;

/** What an address says by name and value, headers aside: it may come back in what the server says. */
export function namedValues(address: McpServerAddress): (readonly [name: string, value: string])[] {
  if ("url" in address) return [...new URL(address.url).searchParams];
  const { args = [], env = {} } = address;
  return [...Object.entries(env), ...args.flatMap((argument, index) => namedValuesOf(argument, args[index + 1]))];
}

function namedValuesOf(argument: string, next: string | undefined): (readonly [string, string])[] {
  const [, name, value] = assignment.exec(argument) ?? [];
  if (name !== undefined && value !== undefined) return [[name, value]];
  return argument.startsWith("-") && next !== undefined ? [[argument.replace(/^-+/, ""), next]] : [];
}
