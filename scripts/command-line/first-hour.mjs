/**
 * docs/30-first-hour.md, step by step, in an empty folder: blocks with the path of a file are written, blocks of the shell are run, and what a
 * text block shows must have been printed by the block before it.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import terminal from "../../test/support/terminal.cjs";
import { run } from "./program.mjs";

const page = "docs/30-first-hour.md";

/** `home` has the packed package in a folder above it. */
export async function firstHour(home, tarball) {
  let directory = join(home, "first-hour");
  mkdirSync(directory);
  let printed = "";
  for (const { kind, info, body, line } of blocksOf(readFileSync(page, "utf8"))) {
    try {
      if (kind === "sh") {
        printed = "";
        for (const command of body.split("\n")) {
          if (command.startsWith("cd ")) directory = resolve(directory, command.slice("cd ".length));
          else printed += await runCommand(command, info, directory);
          // This version isn't on the registry.
          if (command.includes("toolwright init"))
            run("npm", ["pkg", "set", `dependencies.toolwright=file:${tarball}`], join(directory, "shop"));
        }
      } else if (kind === "text") expectLines(body, printed);
      else if (info !== "") write(join(directory, info), body);
    } catch (error) {
      throw new Error(`${page}:${line}: ${error.message}`);
    }
  }
}

/** ` ```kind info `, what stands in it, and the line where it begins. */
function blocksOf(text) {
  return [...text.matchAll(/^```(\w+) ?(.*)\n([\s\S]*?)\n```$/gm)].map(({ 1: kind, 2: info, 3: body, index }) => ({
    kind,
    info,
    body,
    line: text.slice(0, index).split("\n").length,
  }));
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${text}\n`);
}

async function runCommand(command, info, cwd) {
  const [, typed] = /^types (.*)$/.exec(info) ?? [];
  if (typed !== undefined) return typeInTerminal(command, typed, cwd);
  const [, exitCode = "0"] = /^ends with (\d+)$/.exec(info) ?? [];
  return run("sh", ["-c", command], cwd, { exitCode: Number(exitCode), both: true });
}

async function typeInTerminal(command, typed, cwd) {
  const { exitCode, text } = await terminal.runInTerminal(command, { cwd, turns: [["[y]es, [n]o", `${typed}${terminal.keys.enter}`]] });
  if (exitCode !== 0) throw new Error(`${command} ended with ${exitCode}:\n${text}`);
  return text;
}

/** All lines, whatever stands between them: what a tool notes comes in another stream than its answer. */
function expectLines(lines, printed) {
  const shown = new Set(printed.split("\n").map((line) => line.trim()));
  const missing = lines.split("\n").filter((line) => !shown.has(line.trim()));
  if (missing.length > 0) throw new Error(`These lines weren't printed:\n${missing.join("\n")}\nThis was:\n${printed}`);
}
