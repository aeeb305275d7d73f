import { createRequire } from "node:module";
import * as platform from "../../../platform/index.js";
import type { PageNode } from "./page-node.js";

type Cheerio = typeof import("cheerio/slim");

/** What is used of htmlparser2, the parser that cheerio brings. */
export interface ParserPackage {
  readonly Parser: new (handler: TreeBuilder, options: { readonly xmlMode: boolean }) => { write(text: string): void; end(): void };
  readonly DomHandler: new () => TreeBuilder;
}

export interface TreeBuilder {
  readonly root: PageNode;
  onopentag(name: string, attribs: Record<string, string>): void;
  onclosetag(): void;
}

let cheerio: Cheerio | undefined;
let parserPackage: ParserPackage | undefined;

/** Cheerio, an optional peer; throws with the install line if it is missing. */
export function loadCheerio(): Cheerio {
  cheerio ??= platform.loadCheerio(platform.beside) as Cheerio | undefined;
  return cheerio?.load === undefined ? missing() : cheerio;
}

/** The parser that cheerio brings; throws with the install line if cheerio is missing. */
export function loadParser(): ParserPackage {
  parserPackage ??= parserOfCheerio() ?? (platform.loadHtmlParser(platform.beside) as ParserPackage | undefined);
  return parserPackage?.Parser === undefined ? missing() : parserPackage;
}

/** `undefined` in a bundle, which has a copy of its own. Elsewhere another version may be the next one to be found. */
function parserOfCheerio(): ParserPackage | undefined {
  try {
    return createRequire(platform.nodeRequire().resolve("cheerio/slim"))("htmlparser2") as ParserPackage;
  } catch {
    return undefined;
  }
}

/** Some bundlers put an empty module in the place of a missing package. */
function missing(): never {
  throw new Error("WebScraperTool reads pages with cheerio, which isn't installed. Install it: npm install cheerio");
}
