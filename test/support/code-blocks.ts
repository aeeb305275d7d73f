import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const repositoryRoot = join(__dirname, "..", "..");

/** A TypeScript block of a document: ` ```ts `, continued by ` ```ts continued ` where one example needs several. */
export interface CodeBlock {
  /** `docs/02-tools.md:41`: where the block begins. */
  readonly place: string;
  readonly code: string;
}

/** The examples of README.md and of the pages in docs/. */
export function documentedExamples(): readonly CodeBlock[] {
  const pages = readdirSync(join(repositoryRoot, "docs")).filter((name) => name.endsWith(".md"));
  // A link may lead nowhere.
  return ["README.md", ...pages.map((name) => `docs/${name}`)].filter((file) => existsSync(join(repositoryRoot, file))).flatMap(codeBlocks);
}

/** The examples of a document, continuations joined to what they continue. Blocks marked `ts fragment` are no programs. */
export function codeBlocks(file: string): readonly CodeBlock[] {
  const blocks: { place: string; code: string }[] = [];
  const lines = readFileSync(join(repositoryRoot, file), "utf8").split("\n");
  for (let index = 0; index < lines.length; index++) {
    const opening = /^```ts(?: (continued|fragment))?$/.exec(lines[index] ?? "");
    if (opening === null) continue;
    const start = index + 1;
    while (index + 1 < lines.length && lines[index + 1] !== "```") index++;
    const code = `${lines.slice(start, index + 1).join("\n")}\n`;
    index++;
    const last = blocks.at(-1);
    if (opening[1] === "continued" && last !== undefined) last.code += code;
    else if (opening[1] === undefined) blocks.push({ place: `${file}:${start}`, code });
  }
  return blocks;
}
