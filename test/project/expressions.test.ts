import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

it("npm run expressions fails and names the line if a RegExp of constants takes quadratic time", () => {
  const folder = mkdtempSync(join(tmpdir(), "expressions-"));
  const lines = ["const fine = /^z+$/;", 'const ending = "+$";', 'const slow = new RegExp("y" + ending, "i");'];
  writeFileSync(join(folder, "planted.ts"), lines.join("\n"));
  const { status, stdout } = spawnSync(process.execPath, ["scripts/expressions.mjs", `--only=${folder}`], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  expect(stdout).toContain("planted.ts:3: /y+$/i");
  expect(stdout).toContain("2 expressions, 1 slow");
  expect(status).toBe(1);
});
