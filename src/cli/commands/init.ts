import { basename, relative, resolve } from "node:path";
import type { CommandModule } from "../command-table.js";
import { exitCodes } from "../exit-codes.js";
import { writeFiles } from "../files/write-files.js";
import { writeJson, writeLine } from "../host.js";
import { choose } from "../init/choices.js";
import { projectFiles } from "../init/project-files.js";

export const run: CommandModule["run"] = async ([given = "."], options, host) => {
  const folder = resolve(host.directory, given);
  const choices = await choose(options, host);
  const files = projectFiles(packageName(basename(folder)), host.version, choices);
  writeFiles(folder, files, host);
  const path = relative(host.directory, folder) || ".";
  if (options.json === true) await writeJson(host, { folder, ...choices, files: Object.keys(files) });
  else {
    const enter = path === "." ? "" : `  cd ${path}\n`;
    await writeLine(host, `Wrote ${Object.keys(files).length} files to ${path}. Next:\n\n${enter}  npm install\n  npm start\n  npm test`);
  }
  return exitCodes.success;
};

/** A name that npm takes. */
function packageName(folder: string): string {
  const name = folder
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[._-]+|(?<!-)-+$/g, "");
  return name === "" ? "tools" : name;
}
