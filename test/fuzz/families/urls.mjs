import { createRunScope, ToolExecutor } from "toolwright/execution";
import { createHttpTool } from "toolwright/http";
import { webScraper } from "toolwright/tools";
import { localServer } from "./local-server.mjs";
import { checkWords } from "./named-errors.mjs";
import { hostilePieces } from "./text-pieces.mjs";

/** Characters of a URL; what is longer is refused by its length. */
const cap = 10_000;

let location = "/";
const host = await localServer((_, response) => response.writeHead(302, { location }).end());
const scraper = webScraper({ allowedHosts: [host] });
const file = createHttpTool({
  name: "file",
  description: "Gets a file.",
  method: "GET",
  url: `http://${host}/files/{folder}/{name}`,
  inputSchema: {
    type: "object",
    properties: { folder: { type: "string" }, name: { type: "string" }, query: { type: "string" } },
    required: ["folder", "name"],
  },
  query: ["query"],
});
const executor = new ToolExecutor({ tools: [scraper, file] });

const pieces = [
  ...hostilePieces,
  "http://",
  "https://",
  "//",
  "127.0.0.1",
  "[::1]",
  "[::ffff:7f00:1]",
  "0x7f",
  "017700000001",
  "localhost",
  ".",
  "..",
  "xn--",
  "%00",
  "%2F",
  "\\",
  "@",
  ":80",
  ":",
  "?",
  "#",
  "。",
  "ß",
  "\u00ad",
];
const filled = (piece, length) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
const texts = {
  dots: (_, length) => `http://${filled("a.", length)}`,
  digits: (_, length) => `http://${filled("1", length)}/`,
  colons: (_, length) => `http://[${filled(":", length)}]/`,
  groups: (_, length) => `http://[${filled("ffff:", length)}]/`,
  users: (_, length) => `http://${filled("a@", length)}${host}/`,
  escapes: (_, length) => `http://${filled("%31", length)}/`,
  steps: (_, length) => `http://${host}/${filled("../", length)}`,
  escapedSteps: (_, length) => `http://${host}/${filled("%2e%2e/", length)}`,
  slashes: (_, length) => `http://${filled("/", length)}`,
  punycode: (_, length) => `http://xn--${filled("a-", length)}/`,
  unicode: (_, length) => `http://${filled("ß。", length)}/`,
  query: (_, length) => `http://${host}/?${filled("a=b&", length)}`,
  blanks: (_, length) => `${filled(" \n", length)}http://${host}/`,
  pieces: (random, length) => random.text(length, pieces),
  afterScheme: (random, length) => `http://${random.text(length, pieces)}`,
  short: (random) => `http://${random.text(random.integer(1, 60), pieces)}`,
};

const uses = {
  scrape: (url) => executor.call({ id: "1", name: "web_scraper", arguments: { url } }, createRunScope()),
  redirect: (url) => {
    location = url.replace(/[^\u0020-\u007e]/g, (character) => encodeURIComponent(character.toWellFormed()));
    return executor.call({ id: "1", name: "web_scraper", arguments: { url: `http://${host}/` } }, createRunScope());
  },
  fill: (text) => executor.call({ id: "1", name: "file", arguments: { folder: text, name: text, query: text } }, createRunScope()),
};

/** Names that could exist aren't looked up: there is no network where this runs. */
const isLookedUp = (url) => {
  const name = URL.canParse(url) ? new URL(url).hostname : "";
  return /[a-z]$/i.test(name) && name !== "localhost";
};

export const family = {
  title: "URLs",
  judged: ["processor", "memory"],
  shapes: Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [
      name,
      (random, share) => {
        const url = text(random, Math.ceil(cap * share));
        const use = random.pick(["scrape", "redirect", "fill"]);
        if (use !== "fill" && isLookedUp(url)) return undefined;
        return async () => {
          const result = await uses[use](url);
          if ("error" in result) checkWords(result.error);
        };
      },
    ]),
  ),
};
