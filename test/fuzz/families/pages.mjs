import { createRunScope, ToolExecutor } from "toolwright/execution";
import { webScraper } from "toolwright/tools";
import { filled } from "./build.mjs";
import { localServer } from "./local-server.mjs";
import { checkWords } from "./named-errors.mjs";
import { hostilePieces } from "./text-pieces.mjs";

/** Bytes of a page. */
const cap = 2 * 1_024 * 1_024;

let page = Buffer.alloc(0);
let type = "text/html; charset=utf-8";
const host = await localServer((_, response) => response.writeHead(200, { "content-type": type }).end(page));
const executor = new ToolExecutor({ tools: [webScraper({ allowedHosts: [host] })] });

const pieces = [
  ...hostilePieces,
  "<p>",
  "</p>",
  "<div>",
  "</div>",
  "<table>",
  "<tr>",
  "<td>",
  "<a href=x>",
  "</a>",
  "<b>",
  "<i>",
  "<svg>",
  "<math>",
  "<template>",
  "<select>",
  "<option>",
  "<form>",
  "<button>",
  "<style>p{opacity:0}</style>",
  "<script>",
  "</script>",
  "<textarea>",
  "<title>",
  "<!--",
  "-->",
  "<![CDATA[",
  "&amp;",
  "&#x10ffff;",
  "&notin",
  "text",
  "<p style='font-size:0'>",
  "<p class='a b c'>",
];
const sheet = (length, rule) => {
  const rules = [];
  for (let used = 0, index = 0; used < length; index++) {
    rules.push(rule(index));
    used += rules.at(-1).length;
  }
  return `<style>${rules.join("")}</style>`;
};

const pages = {
  paragraphs: (_, length) => filled("<p class='a b'>Some words of a page.</p>\n", length),
  openElements: (_, length) => filled("<div>", length),
  nestedText: (_, length) => filled("<div>a", length),
  closingElements: (_, length) => `a${filled("</div>", length)}`,
  formatting: (_, length) => filled("<b><i><p>a", length),
  anchors: (_, length) => filled("<a><a><b><a>x", length),
  tables: (_, length) => filled("<table><tr><td>a", length),
  fosterText: (_, length) => `<table>${filled("a<b>", length)}`,
  rows: (_, length) => `<table>${filled("<tr><td>a<td>b", length)}`,
  selects: (_, length) => filled("<select><option>a", length),
  attributes: (_, length) => `<p ${Array.from({ length: length / 8 }, (_, index) => `a${index}=b`).join(" ")}>text`,
  longAttribute: (_, length) => `<p title="${filled("a&amp;", length)}">text`,
  manyStyles: (_, length) => filled("<p style='color:red;opacity:.5;left:-1px'>a", length),
  longStyle: (_, length) => `<p style="${filled("color:red;", length)}">text`,
  unclosedStyle: (_, length) => `<p style="${filled("a:(", length)}">text`,
  rules: (_, length) => `${sheet(length / 2, (index) => `.c${index}{display:none}`)}${filled("<p class='c1 c2 c3'>a", length / 2)}`,
  deepSelectors: (_, length) =>
    `${sheet(length / 2, (index) => `div div div div .c${index} > p ~ p{opacity:0}`)}${filled("<div><p class=c1>a", length / 2)}`,
  oddSelectors: (_, length) =>
    `${sheet(length / 2, (index) => `:not(:has(*:nth-child(${index}n+1))) *{opacity:0}`)}${filled("<div><p>a</div>", length / 2)}`,
  openRules: (_, length) => `<style>${filled("a{", length)}</style>text`,
  mediaRules: (_, length) => `<style>${filled("@media x{", length)}</style>text`,
  comments: (_, length) => `<style>${filled("/*", length)}</style>text`,
  entities: (_, length) => filled("&notit;&#x41;", length),
  openComment: (_, length) => `<!--${filled("-", length)}`,
  script: (_, length) => `<script>${filled("<!--<script", length)}`,
  foreign: (_, length) => filled("<svg><foreignObject><math><mi>a", length),
  templates: (_, length) => filled("<template>a", length),
  blanks: (_, length) => `a${filled(" \n\t", length)}b`,
  hiddenCharacters: (_, length) => filled("a\u200b\u{e0041}\ufe0f", length / 4),
  combining: (_, length) => `a${filled("\u0301", length / 2)}`,
  lists: (_, length) => filled("<ul><li>a", length),
  preformatted: (_, length) => `<pre>${filled("a  \n", length)}`,
  pieces: (random, length) => random.text(length / 2, pieces),
  fewPieces: (random, length) =>
    random.text(
      length / 2,
      random.list(4, () => random.pick(pieces)),
    ),
  pair: (random, length) => filled(random.pick(pieces) + random.pick(pieces), length / 2),
};
const selectors = [
  undefined,
  undefined,
  "p",
  ".a",
  "#main",
  "div div div div p",
  "*",
  ":has(*) :has(*) *",
  "p ~ p ~ p",
  "div > div:nth-last-child(2n)",
  ":not(:not(p))",
  "[class*=a] *",
  "(",
  "p:contains(a)",
  `${"div, ".repeat(500)}p`,
];

export const family = {
  title: "pages",
  judged: ["block", "growth", "memory"],
  shapes: Object.fromEntries(
    Object.entries(pages).map(([name, write]) => [
      name,
      (random, share) => {
        const content = Buffer.from(write(random, cap * share)).subarray(0, cap);
        const selector = random.pick(selectors);
        const contentType = random.chance(0.9)
          ? "text/html; charset=utf-8"
          : random.pick(["application/xhtml+xml", "text/html; charset=shift_jis", "text/plain"]);
        return async () => {
          page = content;
          type = contentType;
          const result = await executor.call(
            { id: "1", name: "web_scraper", arguments: { url: `http://${host}/`, ...(selector !== undefined && { selector }) } },
            createRunScope(),
          );
          if ("error" in result) checkWords(result.error);
        };
      },
    ]),
  ),
};
