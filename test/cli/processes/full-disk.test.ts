import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compileProgram, modules, program, ran } from "./program.js";

beforeAll(compileProgram);

/** Runs a command of the shell where it may mount file systems, which disappear with it. */
const apart = ["--user", "--map-root-user", "--mount", "sh", "-c"];
const canMount = spawnSync("unshare", [...apart, "mount -t tmpfs tmpfs /mnt"]).status === 0;

/** A disk of 16 KB, on which a command runs; what is left there behind it. */
function onSmallDisk(command: string): { readonly errors: string; readonly left: string } {
  const directory = mkdtempSync(join(tmpdir(), "toolwright-disk-"));
  const disk = join(directory, "disk");
  mkdirSync(disk);
  const parameters = Array.from({ length: 400 }, (_, index) => [`parameter_${index}`, { type: "string", description: "A parameter." }]);
  const schema = { name: "many", description: "Has many.", parameters: { type: "object", properties: Object.fromEntries(parameters) } };
  writeFileSync(join(directory, "many.json"), JSON.stringify(schema));
  const script = `mount -t tmpfs -o size=16k tmpfs ${disk}; cd ${disk}; "${process.execPath}" "${program}" ${command} 2>../errors; find .`;
  const left = execFileSync("unshare", [...apart, script], { encoding: "utf8" });
  return { errors: execFileSync("cat", [join(directory, "errors")], { encoding: "utf8" }), left };
}

(canMount ? describe : describe.skip)("on a full disk", () => {
  it.each(["init shop --yes", "import json-schema ../many.json --out shop/tools"])("%s leaves nothing behind", (command) => {
    const { errors, left } = onSmallDisk(command);
    expect(errors).toBe("Error: The files couldn't be written, and none is left: ENOSPC: no space left on device, write\n");
    expect(left).toBe(".\n");
  });
});

// Linux has a device that is a full disk.
(existsSync("/dev/full") ? describe : describe.skip)("a report that can't be written", () => {
  it.each(["--out", "--html"])("fails the evaluation: %s", async (option) => {
    const cases = join(mkdtempSync(join(tmpdir(), "toolwright-disk-")), "cases.jsonl");
    writeFileSync(cases, '{"prompt":"Greet Ada","expect":{"calls":[{"tool":"greet"}]}}\n');
    const given = ["eval", "desk", cases, "--module", "desk.js", "--answers", `${cases}.answers`, option, "/dev/full"];
    const { exitCode, errors } = await ran(given, modules);
    expect(exitCode).toBe(1);
    expect(errors).toContain("Error: /dev/full can't be written: ENOSPC");
  });
});
