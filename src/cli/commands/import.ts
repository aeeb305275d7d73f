import { existsSync } from "node:fs";
import { basename, relative, resolve } from "node:path";
import { printable } from "../../redaction/internal.js";
import { insteadOfName } from "../../tool/internal.js";
import type { CommandModule, CommandOptions } from "../command-table.js";
import { CommandError, exitCodes, UsageError } from "../exit-codes.js";
import { writeFiles } from "../files/write-files.js";
import { type Host, interruptible, paintFor, writeJson, writeLine } from "../host.js";
import type { ImportedProject } from "../import/class-project.js";
import { counted } from "../text/counted.js";
import { kebabCase } from "../import/names.js";

const kinds = ["openapi", "mcp", "json-schema"];

export const run: CommandModule["run"] = async ([kind = "", ...source], options, host) => {
  if (!kinds.includes(kind)) throw new UsageError(`import: "${kind}" can't be imported. ${insteadOfName(kind, kinds)}`);
  const project = await importProject(kind, source, options, host);
  if (project.tools.length === 0) {
    throw new CommandError(`No tool can be written:${project.leftOut.map(({ name, reason }) => `\n- ${name}: ${reason}`).join("")}`);
  }
  const folder = resolve(host.directory, options.out ?? `src/tools/${kebabCase(project.name)}`);
  writeFiles(folder, project.files, host);
  const { tools, variables, leftOut } = project;
  if (options.json === true) await writeJson(host, { folder, files: Object.keys(project.files), tools, variables, leftOut });
  else {
    await writeLine(host, `Wrote ${counted(tools.length, "tool")} to ${relative(host.directory, folder) || "."}.`);
    if (variables.length > 0) await writeLine(host, `They read these environment variables: ${variables.join(", ")}.`);
    const { yellow } = paintFor(host, host.errors);
    for (const { name, reason } of leftOut) host.errors.write(`${yellow("Left out:")} ${printable(`${name}: ${reason}`)}\n`);
  }
  return exitCodes.success;
};

async function importProject(kind: string, source: readonly string[], options: CommandOptions, host: Host): Promise<ImportedProject> {
  const [first, ...rest] = source;
  if (first === undefined) throw new UsageError(`import ${kind}: name its source: ${kind === "mcp" ? "a URL or a command" : "a file"}.`);
  if (kind === "mcp") {
    const { mcpProject } = await import("../import/mcp-project.js");
    const isUrl = /^https?:\/\//.test(first);
    if (isUrl && !URL.canParse(first))
      throw new UsageError(`import mcp: "${first}" isn't a URL. Give one such as https://example.com/mcp.`);
    const name =
      options.name ?? (isUrl ? new URL(first).hostname : basename(rest.findLast((word) => /^[@\w][\w@./-]*$/.test(word)) ?? first));
    return interruptible(host, () => mcpProject(name, isUrl ? { url: first } : { command: first, args: rest }));
  }
  if (rest.length > 0) throw new UsageError(`import ${kind}: it takes one file, got ${source.length}.`);
  const file = resolve(host.directory, first);
  if (!existsSync(file)) throw new UsageError(`import ${kind}: there is no file ${first} in ${host.directory}.`);
  if (kind === "json-schema") return (await import("../import/json-schema-project.js")).jsonSchemaProject(file);
  const { openApiProject } = await import("../import/open-api-project.js");
  const { include, baseUrl } = options;
  return openApiProject(file, { ...(include !== undefined && { include }), ...(baseUrl !== undefined && { baseUrl }) });
}
