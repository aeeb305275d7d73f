/** Its slim form parses HTML as far as reading needs, and doesn't load the HTTP client of the full one. */
type Cheerio = typeof import("cheerio/slim");

let cheerio: Cheerio | undefined;

/** Cheerio, an optional peer; throws with the install line where it is missing. */
export function loadCheerio(): Cheerio {
  try {
    // Written out so that bundlers see what is required. What stands for it in ES modules, scripts/build.mjs says.
    return (cheerio ??= require("cheerio/slim") as Cheerio);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") throw error;
    throw new Error("WebScraperTool reads pages with cheerio, which isn't installed. Install it: npm install cheerio");
  }
}
