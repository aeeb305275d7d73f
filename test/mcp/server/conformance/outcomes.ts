import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repositoryRoot } from "../../../support/code-blocks.js";

export interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
}

/** The checks of each scenario. */
export type Outcomes = ReadonlyMap<string, readonly Check[]>;

const suite = join(repositoryRoot, "node_modules/@modelcontextprotocol/conformance/dist/index.js");

/** Runs all that a revision requires of a server, and what the suite has beyond that, against the server at `url`. */
export function runSuite(url: string, revision: string): Promise<Outcomes> {
  const folder = mkdtempSync(join(tmpdir(), "toolwright-conformance-"));
  const words = ["--import", join(__dirname, "node-20.mjs"), suite, "server", "--url", url, "--requirements", revision, "-o", folder];
  return new Promise((resolve) => {
    // Its exit code says whether everything holds, also what isn't applicable: the files say more.
    execFile(process.execPath, words, { maxBuffer: 64 * 1024 * 1024 }, () => {
      resolve(new Map(readdirSync(folder).map((name) => [scenarioOf(name), checksIn(join(folder, name, "checks.json"))])));
      rmSync(folder, { recursive: true });
    });
  });
}

/** `server-tools-list-2026-11-28T10-59-48-314Z` */
const scenarioOf = (folder: string): string => folder.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, "");

const checksIn = (file: string): readonly Check[] => JSON.parse(readFileSync(file, "utf8")) as readonly Check[];
