import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildSync } from "esbuild";
import { repositoryRoot } from "../support/code-blocks.js";

/** Makes a script of an application in TypeScript, so that a test can start it as a process; gives its path. */
export function bundleApplication(source: string, name: string): string {
  const outfile = join(repositoryRoot, "build/test", name);
  mkdirSync(dirname(outfile), { recursive: true });
  buildSync({
    entryPoints: [source],
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    external: ["@modelcontextprotocol/*", "class-*", "typedi", "@ai-sdk/*", "@opentelemetry/*", "cheerio*", "yaml"],
    logLevel: "error",
  });
  return outfile;
}
