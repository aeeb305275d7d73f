import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { repositoryRoot } from "../support/code-blocks.js";

const packed = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
  cwd: repositoryRoot,
  encoding: "utf8",
  shell: process.platform === "win32",
  stdio: ["ignore", "pipe", "ignore"],
});
const [{ files }] = JSON.parse(packed) as [{ readonly files: readonly { readonly path: string }[] }];
const shipped = new Set(files.map(({ path }) => path));
const pages = [...shipped].filter((path) => path.endsWith(".md"));
const read = (path: string): string => readFileSync(join(repositoryRoot, path), "utf8");

/** The anchor of a heading, as GitHub and npm write it. */
const anchorOf = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(" ", "-");
const anchors = (path: string): readonly string[] =>
  [...read(path).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading as string));

it("the package has no pages for contributors", () => {
  expect(pages).toContain("docs/errors.md");
  expect(pages.filter((path) => /decisions|features|docs\/api\//.test(path))).toEqual([]);
});

it.each(pages)("%s links to pages and headings that users of the package have", (page) => {
  const text = read(page).replace(/^```.*?^```/gms, "");
  const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)];
  const broken = links.filter(([, path, anchor]) => {
    const target = path ? posix.join(dirname(page), path) : page;
    return !shipped.has(target) || (anchor !== undefined && !anchors(target).includes(anchor));
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});
