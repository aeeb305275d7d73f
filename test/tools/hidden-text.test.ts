import { invokeTool } from "../../src/testing/index.js";
import { webScraper } from "../../src/tools/index.js";
import { type AnsweringServer, answeringServer, answerWith } from "./web-support.js";

let server: AnsweringServer;
beforeAll(async () => {
  server = await answeringServer();
});
afterAll(() => server.close());

const textOf = async (html: string, selector?: string): Promise<string> => {
  server.answer = answerWith(html, { type: "text/html; charset=utf-8" });
  const page = await invokeTool(webScraper({ allowedHosts: ["127.0.0.1"] }), {
    url: server.url,
    ...(selector !== undefined && { selector }),
  });
  return (page as { text: string }).text;
};

const offScreen = [
  "position:absolute;left:-9999px",
  "position:fixed;top:-200vh",
  "position:relative;right:-1000em",
  "position:absolute;inset:auto auto auto -5000px",
  "position:absolute;left:calc(-100vw - 20px)",
  "margin-left:-9999px",
  "margin:0 0 0 -9999px",
  "text-indent:-9999px",
  "transform:translateX(-9999px)",
  "transform:translate(-200vw, 0)",
  "transform:scale(0)",
  "scale:0",
  "transform:rotateY(90deg)",
];

const clipped = [
  "position:absolute;clip:rect(0,0,0,0)",
  "position:absolute;clip:rect(1px 1px 1px 1px)",
  "clip-path:inset(50%)",
  "clip-path:inset(100%)",
  "clip-path:circle(0)",
  "clip-path:polygon(0 0, 0 0, 0 0)",
  "height:0;overflow:hidden",
  "width:1px;height:1px;overflow:hidden",
  "max-height:0;overflow-y:clip",
];

const colors = [
  "color:transparent",
  "color:#fff",
  "color:white",
  "color:rgb(255, 255, 255)",
  "color:rgba(0,0,0,0.01)",
  "color:rgb(0 0 0 / 2%)",
  "color:hsl(0, 0%, 100%)",
  "color:#fefefe",
  "background:black;color:#000",
  "background-color:oklch(0.5 0.1 20);color:oklch(0.5 0.1 20)",
  "background:linear-gradient(#fff,#fff);color:#fff",
  "-webkit-text-fill-color:transparent",
];

const others = [
  "display:none",
  "DISPLAY : NONE !important",
  "d\\69splay:none",
  "/* x */display:/**/none",
  "visibility:hidden",
  "visibility:collapse",
  "opacity:0",
  "opacity:0%",
  "opacity:.01",
  "filter:opacity(0)",
  "font-size:0",
  "font-size:0.1px",
  "font-size:calc(1px - 1px)",
  "font:0/0 a",
  "content-visibility:hidden",
  "--size:0;font-size:var(--size)",
  "font-size:var(--none, 0)",
];

describe("text that a style hides", () => {
  it.each([...offScreen, ...clipped, ...colors, ...others])("isn't read: %s", async (style) => {
    expect(await textOf(`<p>Seen</p><div style="${style}"><p>Hid<b>den</b></p></div>`)).toBe("Seen");
    expect(await textOf(`<style>.x{${style}}</style><p>Seen</p><div class="a x"><p>Hid<b>den</b></p></div>`)).toBe("Seen");
  });

  it.each([
    "position:absolute;left:-10px",
    "position:relative;top:-20px",
    "left:-9999px",
    "margin-left:-20px",
    "text-indent:2em",
    "height:0",
    "height:0;overflow:hidden;padding-bottom:56%",
    "transform:translateX(-50%)",
    "clip-path:inset(10%)",
    "opacity:0.5",
    "filter:opacity()",
    "font-size:12px",
    "font-size:80%",
    "font:12px/1.5 sans-serif",
    "color:#666",
    "background:#000;color:#fff",
    "background:url(hero.jpg);color:#fff",
    "background:linear-gradient(#000,#333);color:#fff",
    "background:linear-gradient(red,blue);background-clip:text;color:transparent",
    "content:'; display:none'",
    "background:url(data:image/png;x,display:none)",
  ])("is read if it is seen: %s", async (style) => {
    expect(await textOf(`<div style="${style}">Text</div>`)).toBe("Text");
    expect(await textOf(`<style>.x{${style}}</style><div class=x>Text</div>`)).toBe("Text");
  });

  it("is distinguished from a part of it that another style shows again", async () => {
    expect(await textOf('<div style="font-size:0">a<p style="font-size:16px">Seen</p></div>')).toBe("Seen");
    expect(await textOf('<div style="visibility:hidden">a<p style="visibility:visible">Seen</p></div>')).toBe("Seen");
    expect(await textOf('<div style="color:#fff">a<p style="background:#000">Seen</p></div>')).toBe("Seen");
    expect(await textOf('<body bgcolor=black text=white>Seen <font color="#000">Hidden</font></body>')).toBe("Seen");
    expect(await textOf('<div style="color:#fff">a <a href="/">Seen</a></div>')).toBe("Seen");
    expect(await textOf('<div style="opacity:.2"><p style="opacity:.2">Hidden</p></div><p>Seen')).toBe("Seen");
  });
});

describe("text that a style sheet hides", () => {
  it.each([
    ["a class", ".x{display:none}"],
    ["an id", "#i{display:none}"],
    ["a tag", ".wrap div{display:none}"],
    ["everything", ".wrap *:not(p):not(b){display:none}"],
    ["an attribute", "[data-a=hide]{display:none}"],
    ["an attribute with a string that looks like a rule", '[data-b="}{;"]{display:none}'],
    ["a list", "h6, .nothing, .x{display:none}"],
    ["a descendant", "body .wrap .x{display:none}"],
    ["a child", ".wrap > .x{display:none}"],
    ["a sibling", "p + div.x{display:none}"],
    ["a later sibling", "p ~ .x{display:none}"],
    ["its place", ".wrap > :nth-child(2){display:none}"],
    ["its place from the end", ".wrap > :last-child{display:none}"],
    ["its place among its kind", "div.x:first-of-type{display:none}"],
    ["a group", "p + :is(.y, .x){display:none}"],
    ["an escaped class", ".\\78 {display:none}"],
    ["a class with a colon", ".md\\:x{display:none}"],
    ["importance", ".x{display:none!important} div.x#i{display:block}"],
    ["specificity", "div.x{display:none} .x{display:block}"],
    ["order", ".x{display:block} .x{display:none}"],
    ["a media query", "@media screen and (min-width: 1px){.x{display:none}}"],
    ["a media query that isn't known", "@media (any-thing: 3){.x{display:none}}"],
    ["@supports", "@supports (display: grid){.x{display:none}}"],
    ["a layer", "@layer base{.x{display:none}}"],
    ["a later layer", "@layer a,b; @layer b{.x{display:none}} @layer a{.x{display:block}}"],
    ["an important declaration of an earlier layer", "@layer a{.x{display:none!important}} @layer b{.x{display:block!important}}"],
    ["nesting", ".wrap{color:red; .x{display:none}}"],
    ["nesting with &", ".x{&.a{display:none}}"],
    ["a group within a rule", ".x{@media screen{display:none}}"],
    ["@scope", "@scope (.wrap){.x{display:none}}"],
    ["variables", ":root{--shown:none} .x{display:var(--shown)}"],
    ["a pseudo-class that isn't known", ".x:lang(en){display:none}"],
    ["a rule behind a comment and a string", '/* } */ .q::before{content:"/*"} .x{display:none} .r::before{content:"*/"}'],
    ["a rule behind an old comment", "<!-- .x{display:none} -->"],
    ["a rule that isn't closed", ".x{display:none"],
    ["inheritance of colors", ".wrap{color:#fff} p{color:#000}"],
  ])("isn't read: by %s", async (_, css) => {
    const html = `<div class=wrap><p>Seen</p><div id=i class="a x md:x" data-a=hide data-b="}{;">Hidden</div></div>`;
    expect(await textOf(`<html><head><style>${css}</style></head><body>${html}</body></html>`, "p, #i")).toBe("Seen");
    expect(await textOf(`<html><body>${html}<style media=screen>${css}</style></body></html>`, "p, #i")).toBe("Seen");
  });

  it.each([
    [".x{display:none} .x{display:block}"],
    ["@media print{.x{display:none}}"],
    ["@media (max-width: 600px){.x{display:none}}"],
    ["@media (width < 40em){.x{display:none}}"],
    ["@media (prefers-color-scheme: dark){.x{color:#fff}}"],
    ["@supports not (display: grid){.x{display:none}}"],
    [".x:hover{display:none}"],
    [".x::before{display:none}"],
    [".y{display:none}"],
    ["@keyframes a{from{opacity:0}}"],
    ["@layer a{.x{display:none}} .x{display:block}"],
    ["@layer a,b; @layer b{.x{display:block}} @layer a{.x{display:none}}"],
    [".x{display:none} #i{display:block}"],
    ['.q::before{content:".x{display:none}"}'],
    ["/* .x{display:none} */"],
    [".x, p[ {display:none}"],
    [`.x[${"\\aaaaaa".repeat(40)}!]{display:none}`],
    ["div:not(.x){display:none}"],
  ])("is read if the sheet doesn't hide it: %s", async (css) => {
    expect(await textOf(`<style>${css}</style><section><div id=i class="a x">Text</div></section>`)).toBe("Text");
  });

  it("isn't read if nothing is known of a selector that would show it", async () => {
    expect(await textOf("<style>.x{display:none} .x:has(b):lang(xx){display:block}</style><p>Seen<p class=x>Hidden")).toBe("Seen");
  });
});

describe("text that an element or attribute hides", () => {
  it.each([
    "<dialog>Hidden</dialog>",
    '<p aria-hidden="true">Hidden</p>',
    "<p hidden>Hidden</p>",
    '<p hidden="until-found">Hidden</p>',
    "<div popover>Hidden</div>",
    "<template>Hidden</template>",
    "<noscript>Hidden</noscript>",
    "<!-- Hidden -->",
    "<svg><text>Hidden</text></svg>",
    "<datalist><option>Hidden</datalist>",
    "<noframes>Hidden</noframes>",
    "<meter>Hidden</meter>",
    '<img alt="Hidden" title="Hidden">',
    '<p title="Hidden"></p>',
    '<meta name="description" content="Hidden">',
    '<input type="hidden" value="Hidden">',
    "<font color=#ffffff>Hidden</font>",
  ])("isn't read: %s", async (html) => {
    expect(await textOf(`<p>Seen</p>${html}`)).toBe("Seen");
  });

  it.each(["<dialog open>Text</dialog>", '<p aria-hidden="false">Text</p>', "<details><summary>Te</summary>xt</details>"])(
    "is read if it is seen, or opens by a click: %s",
    async (html) => {
      expect((await textOf(html)).replace(/\s/g, "")).toBe("Text");
    },
  );
});
