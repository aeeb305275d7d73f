import { createRequire } from "node:module";
import type { PageNode } from "./page-node.js";

/** Its slim form selects elements, and doesn't load the HTTP client of the full one. */
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

/** Cheerio, an optional peer; throws with the install line where it is missing. */
export function loadCheerio(): Cheerio {
  try {
    // Written out so that bundlers see what is required. What stands for it in ES modules, scripts/build.mjs says.
    return (cheerio ??= require("cheerio/slim") as Cheerio);
  } catch (error) {
    throw explained(error);
  }
}

/** The parser that cheerio brings; throws with the install line where cheerio is missing. */
export function loadParser(): ParserPackage {
  try {
    return (parserPackage ??= parserOfCheerio() ?? (require("htmlparser2") as ParserPackage));
  } catch (error) {
    throw explained(error);
  }
}

/** `undefined` in a bundle, which has a copy of its own. Elsewhere another version may be the next one to be found. */
function parserOfCheerio(): ParserPackage | undefined {
  try {
    return createRequire(require.resolve("cheerio/slim"))("htmlparser2") as ParserPackage;
  } catch {
    return undefined;
  }
}

function explained(error: unknown): unknown {
  if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") return error;
  return new Error("WebScraperTool reads pages with cheerio, which isn't installed. Install it: npm install cheerio");
}
