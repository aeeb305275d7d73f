import type { Beside } from "../beside.js";

/** The package cheerio, an optional peer. Its slim form doesn't load the HTTP client of the full one. */
export function loadCheerio(beside: Beside): unknown {
  try {
    return require("cheerio/slim");
  } catch (error) {
    return beside("cheerio/slim", error);
  }
}

/** The parser that cheerio brings. */
export function loadHtmlParser(beside: Beside): unknown {
  try {
    return require("htmlparser2");
  } catch (error) {
    return beside("htmlparser2", error);
  }
}
