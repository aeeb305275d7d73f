/**
 * npm run studio-check [-- --keep | --pictures]
 *
 * Opens `toolwright studio` with the modules of scripts/studio in Chromium and uses it: calls tools with good and bad arguments, decides about calls,
 * chats, compares contexts, decides for another process in SQLite and on Postgres, loads a changed module. Then axe-core looks at each view, in both themes, at 1280 and 400 pixels. Needs a build, and Chromium: from the
 * variable CHROMIUM, or as `chromium` of the system. Without one it says so, and checks nothing. Screenshots: build/studio.
 *
 * --keep      leaves the studio open until Ctrl-C
 * --pictures  writes the pictures of docs/31-studio.md to docs/pictures
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { loadsChangedModules } from "./studio/changed-module.mjs";
import { decidesInSqlite, decidesOnPostgres } from "./studio/other-process.mjs";
import { startPostgres } from "./services.mjs";
import { startStudio } from "./studio/start.mjs";

const chromium = process.env.CHROMIUM ?? spawnSync("which", ["chromium"], { encoding: "utf8" }).stdout?.trim();
if (!chromium) {
  console.log("No Chromium here: the studio isn't checked. Set CHROMIUM, or install the package chromium.");
  process.exit(0);
}
const screenshots = "build/studio";
mkdirSync(screenshots, { recursive: true });

const late = setTimeout(() => fail("The studio wasn't checked within 10 minutes."), 600_000);

function fail(message) {
  console.error(message);
  process.exit(1);
}

const { url, origin } = await startStudio(["scripts/studio/shop.ts", "scripts/studio/hostile.ts", "scripts/studio/runs.ts", "--by", "ada"]);
const token = new URL(url).hash.slice("#token=".length);

// The browser's driver comes with the MCP server that tests use.
const { chromium: driver } = createRequire(createRequire(import.meta.url).resolve("@playwright/mcp/package.json"))("playwright-core");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const browser = await driver.launch({
  executablePath: chromium,
  args: [
    ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    // The name of another site with the address of this machine.
    "--host-resolver-rules=MAP evil.example 127.0.0.1",
  ],
});
const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
const page = await context.newPage();
page.setDefaultTimeout(15_000);
const problems = [];
page.on("pageerror", (error) => problems.push(`The page threw: ${error}`));
/** Whether the API is asked for what it must reject: the browser writes each such answer into its console. */
let isRejected = false;
page.on("console", (message) => {
  const text = message.text();
  // While a process is replaced by the next one, nothing answers.
  const isExpected = text.includes("ERR_CONNECTION_REFUSED") || (isRejected && /status of 40[04]/.test(text));
  if (message.type() === "error" && !isExpected) problems.push(`The console has, about ${message.location().url}: ${text}`);
});
page.on("request", (request) => {
  if (!request.url().startsWith("http://127.0.0.1:") && !request.url().startsWith("data:"))
    problems.push(`A request left the machine: ${request.url()}`);
});

const done = (what) => console.log(`works: ${what}`);

async function expectText(locator, part, what) {
  await locator.first().waitFor();
  for (let times = 0; times < 60; times += 1) {
    if ((await locator.allTextContents()).join("\n").includes(part)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  problems.push(`${what} lacks ${JSON.stringify(part)}: ${(await locator.allTextContents()).join("\n").slice(0, 500)}`);
}

/** The views that the docs show, their themes, their heights if not the usual one, and what is in their middle; otherwise they begin at the top. */
const pictures = {
  confirmation: { colorScheme: "light", height: 1080 },
  "chat-confirmation": { colorScheme: "dark", middle: ".card.waiting" },
  compare: { colorScheme: "light" },
  inbox: { colorScheme: "dark" },
  run: { colorScheme: "light" },
  "replay-differs": { colorScheme: "dark", middle: ".compared" },
  evaluation: { colorScheme: "light" },
};
const painter = await browser.newPage();

/** Writes the picture of a view for the docs, as WebP, which the browser makes. */
async function draw(name) {
  const { colorScheme, middle, height = 820 } = pictures[name] ?? {};
  if (colorScheme === undefined || !process.argv.includes("--pictures")) return;
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width: 1100, height });
  await page.evaluate((selector) => {
    const element = selector === undefined ? null : document.querySelector(selector);
    if (element === null) scrollTo(0, 0);
    else element.scrollIntoView({ block: "center" });
  }, middle);
  const png = (await page.screenshot()).toString("base64");
  const webp = await painter.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext("2d").drawImage(image, 0, 0);
    const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: "image/webp", quality: 0.82 })).arrayBuffer());
    return btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ""));
  }, png);
  mkdirSync("docs/pictures", { recursive: true });
  writeFileSync(`docs/pictures/studio-${name}.webp`, Buffer.from(webp, "base64"));
}

/** Looks at the view as it is, in both themes and both widths. */
async function look(name) {
  await draw(name);
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [1280, 400]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: `${screenshots}/${name}-${colorScheme}-${width}.png`, fullPage: true });
      // The policy of the page keeps scripts of others out; the driver's own world doesn't.
      const { violations, wide } = await page.evaluate(
        async ([source]) => {
          if (globalThis.axe === undefined) new Function(source).call(globalThis);
          const found = await globalThis.axe.run(document, { resultTypes: ["violations"] });
          return { violations: found.violations, wide: document.documentElement.scrollWidth - innerWidth };
        },
        [axe],
      );
      for (const { id, impact, nodes } of violations) {
        if (impact === "serious" || impact === "critical")
          problems.push(
            `axe: ${name}, ${colorScheme}, ${width}: ${id} (${impact}): ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`,
          );
      }
      if (wide > 0) problems.push(`${name} at ${width} pixels is ${wide} pixels too wide.`);
    }
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1280, height: 900 });
}

const open = async (path) => {
  await page.goto(`${origin}/#${path}`);
  await page.locator("main").waitFor();
};

await page.goto(url);
await page.getByRole("heading", { name: "Choose a tool" }).waitFor();
if (page.url().includes(token)) problems.push("The token stays in the address.");
await look("tools");
await page.reload();
await page.getByRole("heading", { name: "Choose a tool" }).waitFor();
await page.keyboard.press("Tab");
await expectText(page.locator("button:focus"), "Skip to the content", "The first stop of the keyboard");
await page.keyboard.press("Enter");
if ((await page.locator("main:focus").count()) !== 1) problems.push("The skip button doesn't move the focus.");
await page.getByLabel("Search tools").fill("money");
await expectText(page.locator("nav.list"), "2 of 14 tools", "The list");
await page
  .getByRole("link", { name: "get_weather" })
  .count()
  .then((count) => count > 0 && problems.push("The search shows other tools."));
done("tools are listed and found by tag");

await open("/tools/get_weather");
await page.locator("#argument-city").fill("P");
await page.locator("#argument-daysAhead").fill("soon");
await page.locator("#argument-address").fill('{"street":');
await expectText(page.locator("#argument-address-fault"), "isn't JSON", "The field address");
await page.locator("#argument-address").fill('{"street": 5}');
await expectText(page.locator("#argument-city-fault"), "must have at least 2 characters", "The field city");
await expectText(page.locator("#argument-address-fault"), "address.street must be a string", "The field address");
await expectText(page.locator("#argument-daysAhead-fault"), "must be an integer", "The field daysAhead");
await look("faults");
await page.getByRole("button", { name: "Run", exact: true }).click();
await expectText(page.locator(".result"), "validation_error", "The result of bad arguments");
done("arguments are validated as one types, and a call with bad ones fails");

await page.getByRole("button", { name: "Example 1" }).click();
await page.getByRole("button", { name: "Run", exact: true }).click();
await expectText(page.locator(".result.good"), '"sky": "sunny"', "The result");
await page.getByText("The call as code").click();
await expectText(page.locator(".code"), "npx toolwright call get_weather --json", "The code");
await page.locator("#provider").selectOption("openai-chat");
await look("result");
done("a tool is called, shown as code and as a provider gets it");

await page.locator("#context").fill("{ not json");
await expectText(page.locator("#context-note"), "This isn't JSON", "The context");
if (await page.getByRole("button", { name: "Run", exact: true }).isEnabled()) problems.push("A call runs with a context that isn't JSON.");
await page.locator("#context").fill('{ "userId": "42" }');
done("a context that isn't JSON is shown as a fault");

await open("/tools/refund");
await page.locator("#argument-order").fill("A-17");
await page.getByRole("button", { name: "Run", exact: true }).click();
await expectText(page.locator(".waiting"), "Run refund?", "The confirmation");
await look("confirmation");
await page.getByRole("button", { name: "Approve", exact: true }).click();
await expectText(page.locator(".result.good"), "Refunded 20 euros of the order A-17 for 42.", "The approved call");
await page.getByRole("button", { name: "Run", exact: true }).click();
await page.getByLabel("Reason of a denial").fill("Too late");
await page.keyboard.press("Tab");
await page.keyboard.press("Enter");
await expectText(page.locator(".result.bad"), "Too late", "The denied call");
done("a call is approved and denied in place");

await open("/tools/sales_report");
await page.locator("#argument-month").fill("3");
await page.getByRole("button", { name: "Run", exact: true }).click();
await expectText(page.locator(".result.bad"), 'It requires "manager" in toolContext.roles.', "A call without the role");
await page.locator("#context").fill('{ "userId": "42", "roles": ["manager"] }');
await page.getByRole("button", { name: "Run", exact: true }).click();
await expectText(page.locator(".result.good"), "12400", "A call with the role");
done("a tool is called as another user");

await open("/tools/count_forever");
await page.getByRole("button", { name: "Run", exact: true }).click();
await expectText(page.locator(".running"), "counted to", "The progress");
await page.getByRole("button", { name: "Cancel" }).click();
await expectText(page.locator(".fault"), "Cancelled", "The cancelled call");
done("a tool that never ends is cancelled");

await open("/tools/large_result");
await page.getByRole("button", { name: "Run", exact: true }).click();
await expectText(page.locator(".result"), "Show all", "The large result");
await open("/tools/hostile_text");
await page.getByRole("button", { name: "Run", exact: true }).click();
await expectText(page.locator(".result .unseen"), "U+202E", "The hostile result");
if ((await page.title()) === "broken" || (await page.locator(".result img").count()) > 0) problems.push("Markup of a result became HTML.");
await look("hostile");
await open("/tools/draw_square");
await page.getByRole("button", { name: "Run", exact: true }).click();
await page.locator(".result img").waitFor();
if (!(await page.locator(".result img").evaluate((image) => image.decode().then(() => image.naturalWidth > 0))))
  problems.push("The picture isn't shown.");
await look("picture");
await open("/tools/count_tree");
await page.locator("#argument-tree").fill('{"name":"a","children":[{"name":"b"}]}');
await page.getByRole("button", { name: "Run", exact: true }).click();
await expectText(page.locator(".result.good"), "2", "The recursive schema");
done("large, hostile and recursive values are shown");

await open("/tools/odd_names");
await page.locator("#argument-constructor").fill("a name");
await page.getByRole("button", { name: "Run", exact: true }).click();
await expectText(page.locator(".result.good"), '"constructor": "a name"', "A parameter named constructor");
await open("/tools/log_often");
await page.getByRole("button", { name: "Run", exact: true }).click();
await page.locator(".result.good").waitFor({ timeout: 60_000 });
await expectText(page.locator(".result.good"), "logged", "The result behind 100,000 lines of log");
await open("/tools/pay_to");
await page.locator("#argument-payee").fill("bank \u202elive");
await page.getByRole("button", { name: "Run", exact: true }).click();
await expectText(page.locator(".waiting .arguments"), "U+202E", "The hidden character of a waiting call");
await page.getByRole("button", { name: "Edit arguments" }).click();
const escaped = await page.getByLabel("Arguments to use").inputValue();
if (!escaped.includes("bank \\u202elive")) problems.push(`The editor shows hidden characters as they are: ${escaped}`);
await page.getByRole("button", { name: "Cancel the edit" }).click();
await page.getByRole("button", { name: "Edit arguments" }).click();
await page.getByRole("button", { name: "Approve edited" }).click();
await expectText(page.locator(".result.good .unseen"), "U+202E", "The edited argument");
isRejected = true;
await page.goto(`${origin}/#/tools/%E0%A4%A`);
await expectText(page.locator("main"), "There is no tool", "An address that is none");
isRejected = false;
done("odd names, floods of logs, hidden characters in edits and wrong addresses are taken");

await open("/agents/shop_agent");
await page.getByRole("button", { name: "Stop" }).count();
const prompt = page.locator("#prompt");
await prompt.fill('What is the weather in "Paris"?');
await prompt.press("Enter");
await expectText(page.locator(".card.done"), "get_weather", "The card of the call");
await expectText(page.locator("li.answer"), "Paris", "The answer");
await expectText(page.locator(".timeline"), "get_weather", "The timeline");
await prompt.fill('Refund the order "A-17"');
await prompt.press("Enter");
await expectText(page.locator(".card.waiting"), "A-17", "The confirmation in the chat");
await look("chat-confirmation");
await page.getByRole("button", { name: "Approve", exact: true }).click();
await expectText(page.locator("li.answer").last(), "Refunded", "The answer after the approval");
await prompt.fill('Refund the order "B-4"');
await page.getByRole("button", { name: "Send" }).press("Enter");
await page.waitForFunction(() => document.activeElement?.id === "prompt");
await page.getByLabel("Reason of a denial").fill("Not yours");
await page.getByRole("button", { name: "Deny", exact: true }).click();
await expectText(page.locator(".card.failed"), "Not yours", "The denied call in the chat");
await look("chat");
done("an agent is talked to, and its calls are approved and denied in place");

await page.locator("#chat-context").fill('{ "userId": "7" }');
await page.getByRole("button", { name: "New chat" }).press("Enter");
await page.waitForFunction(() => document.activeElement?.id === "prompt");
await prompt.fill('What is the weather in "Rome"?');
await prompt.press("Enter");
await expectText(page.locator("li.answer"), "Rome", "The answer of the second chat");
await expectText(page.locator("li.user"), 'Context: {"userId":"7"}', "The context of the prompt");
await look("two-chats");
const chats = page.getByLabel("Chats of this tab");
await chats.selectOption({ index: 1 });
await expectText(page.locator("li.user"), 'What is the weather in "Paris"?', "The first chat");
await page.reload();
await expectText(page.locator("li.user"), 'What is the weather in "Paris"?', "The first chat after a reload");
done("two chats are kept, each prompt with its context");

await page.getByRole("link", { name: "Tools by context" }).click();
await page.locator("#context-one").fill("{}");
await page.locator("#context-two").fill('{ "userId": "7", "roles": ["manager"] }');
await expectText(
  page.locator("tr.differs"),
  'sales_reportno accessIt requires "manager" in toolContext.roles.offered',
  "The compared tools",
);
await expectText(page.locator(".two"), "You help 7 in a shop.", "The instructions of context B");
await look("compare");
await page.locator("#context-one").fill('{ "roles": "manager" }');
await expectText(page.locator("tr.differs"), "toolContext.roles must be an array of strings", "The hint at a nearly right context");
await page.locator("#context-one").fill("{");
await expectText(page.locator("section[aria-label='Tools by context'] tbody"), "unknown", "The tools of a context that isn't JSON");
await page.reload();
await page.getByRole("heading", { name: "Tools by context" }).waitFor();
await page.goBack();
await page.locator("#prompt").waitFor();
if ((await page.locator("#chat-context").inputValue()) === "{") problems.push("The context of the comparison is the chat's, too.");
done("the tools of two contexts are compared");

await open("/agents/survey_agent");
await prompt.fill('Ask the user "Which colour?"');
await prompt.press("Enter");
await page.locator(".waiting textarea").first().waitFor();
await look("question");
await page.locator(".waiting textarea").first().fill("blue");
await page.getByRole("button", { name: "Answer", exact: true }).click();
await expectText(page.locator(".card.done"), "blue", "The answered question");
done("a question is answered in place");

await open("/agents/front_desk");
await prompt.fill('Let the shop agent answer "What is the weather in Paris?"');
await prompt.press("Enter");
// It is open until the call has ended.
await page.locator('.card.done[aria-label="Call of shop_agent"]').waitFor();
await page.locator("summary", { hasText: "Sub-agent" }).click();
await expectText(page.locator(".card .card"), "get_weather", "The call inside the sub-agent");
await look("sub-agent");
done("a sub-agent unfolds in the card of its call");

await open("/runs");
await expectText(page.locator(".waiting-calls"), "order-17", "The inbox");
await look("inbox");
await page.locator(".waiting-calls a").click();
await expectText(page.locator(".waiting"), "A-17", "The waiting call of the run");
await expectText(page.locator("li.user"), "Refund the order", "The prompt of the run");
const edit = page.getByRole("button", { name: "Edit arguments" });
const editor = page.getByLabel("Arguments to use");
const approveEdited = page.getByRole("button", { name: "Approve edited" });
await page.getByLabel("Reason of a denial").fill("Half a rea");
await page.reload();
if ((await page.getByLabel("Reason of a denial").inputValue()) !== "Half a rea") problems.push("A reload loses a reason.");
await edit.press("Enter");
await editor.press("Escape");
await page.waitForFunction(() => document.activeElement?.textContent === "Edit arguments");
await edit.press("Enter");
await page.waitForFunction(() => document.activeElement?.tagName === "TEXTAREA");
await editor.fill("");
await expectText(page.locator(".waiting .fault"), "Write the arguments as a JSON object", "An empty text of arguments");
if (await approveEdited.isEnabled()) problems.push("An empty text of arguments can be approved.");
await editor.fill('{ "order": 5, "amont": 5 }');
await expectText(page.locator(".waiting .fault"), "order must be", "Invalid edited arguments");
await expectText(page.locator(".waiting .warning"), "The run may have another version", "The advice about edited arguments");
await look("run-invalid");
isRejected = true;
await approveEdited.click();
await expectText(page.locator("article > .fault"), "don't fit", "The rejected arguments");
isRejected = false;
if (!(await editor.inputValue()).includes("amont")) problems.push("A rejected decision loses the edited arguments.");
await editor.fill('{ "order": "A-17", "amount": 5 }');
await look("run-waiting");
await approveEdited.click();
await expectText(page.locator(".decisions"), '"amount": 5', "The approved arguments");
await expectText(page.locator(".card.done"), "Refunded 5 euros", "The run, followed while it goes on");
await expectText(page.locator(".description"), "success", "The status of the run");
await look("run");
await open("/runs");
await expectText(page.locator("article"), "No call waits for a decision", "The empty inbox");
done("a waiting run is decided with edited arguments, and followed to its end");

await open("/runs/clerk-1");
await expectText(page.locator("li.answer"), "in two days", "The recorded answer");
await page.getByRole("link", { name: "Replay from step 1" }).click();
await expectText(page.locator(".compared").first(), "look_up_order", "The recorded step");
if (!(await page.getByRole("link", { name: "Back to the run" }).isVisible())) problems.push("A replay has no way back to its run.");
const instructions = page.locator("#replay-instructions");
await page.waitForFunction(() => document.querySelector("#replay-instructions")?.value === "You help in a shop.");
await instructions.fill("You help in a shop. Be brief.");
await page.getByRole("button", { name: "Start the replay" }).click();
await expectText(page.locator("[role=status]"), "The replay has ended: success", "The status of the replay");
await expectText(page.locator(".compared").nth(0), "Answered from the record: nothing ran.", "The call of the replay");
await expectText(page.locator(".compared").nth(0), "= same", "The mark of the first step");
await expectText(page.locator(".compared").nth(1), "the text differs", "The difference of the second step");
await look("replay");
done("a run is replayed with other instructions, and its call is answered from the record");

await instructions.fill("You help in a shop. Look up the order B-4, too.");
await page.getByRole("button", { name: "Replay again" }).click();
await expectText(page.locator("[role=status]"), "A call waits for your decision", "The status of the replay");
await expectText(page.locator(".compared .waiting"), "B-4", "The new call");
await look("replay-waiting");
await page.getByRole("button", { name: "Approve", exact: true }).click();
await expectText(page.locator("[role=status]"), "The replay has ended: success", "The approved replay");
await expectText(page.locator(".compared").nth(0), "not in this step of the record", "The note at the new call");
await look("replay-differs");
await page.getByRole("button", { name: "Replay again" }).click();
await page.getByLabel("Reason of a denial").fill("Not this one");
await page.getByRole("button", { name: "Deny", exact: true }).click();
await expectText(page.locator(".compared .card.failed"), "Not this one", "The denied call of the replay");
await expectText(page.locator(".compared").nth(1), "I couldn't look up each order", "The answer after the denial");
done("a new call of a replay asks first, and is approved and denied");

await page.getByRole("link", { name: "Replay this replay from step 2" }).click();
await page.getByRole("heading", { name: "Replay from step 2" }).waitFor();
isRejected = true;
await page.locator("#replay-model").fill("nonsense/model");
await page.getByRole("button", { name: "Start the replay" }).click();
await expectText(page.locator(".fault"), 'Model "nonsense/model" is not known', "A model that can't be made");
await page.locator("#replay-model").fill("embedded/keyword");
await page.getByRole("button", { name: "Start the replay" }).press("Enter");
await expectText(page.locator("[role=status]"), "The replay has ended", "The replay of a replay with another model");
await open("/agents/clerk_agent");
await page.locator("#chat-model").fill("gpt-5");
await prompt.fill("Where is my order A-17?");
await prompt.press("Enter");
await expectText(page.locator(".fault"), 'Model "gpt-5" is not known', "A chat with a model that can't be made");
isRejected = false;
await page.locator("#chat-model").fill("embedded/keyword");
await prompt.fill('Look up the order "C-5"');
await prompt.press("Enter");
await expectText(page.locator(".card.done"), "C-5", "A chat with another model");
await page.getByRole("link", { name: "Replay from step 1" }).click();
await page.getByRole("button", { name: "Start the replay" }).click();
await expectText(page.locator("[role=status]"), "The replay has ended: success", "The replay of a chat");
done("a replay and a chat have another model, and a chat is replayed");

const report = `${screenshots}/report.json`;
const evaluation = ["eval", "shop_agent", "scripts/studio/cases.jsonl", "-m", "scripts/studio/shop.ts", "--out", report];
spawnSync(process.execPath, ["dist/esm/cli/main.js", ...evaluation, "--answers", `${screenshots}/answers`]);
await open("/evaluations");
await page.getByLabel("Report").setInputFiles({ name: "wrong.json", mimeType: "application/json", buffer: Buffer.from("{}") });
await expectText(page.locator(".fault"), "The file isn't a report of an evaluation", "A file that is no report");
await page.getByLabel("Report").setInputFiles(report);
await expectText(page.locator("article"), "Not passed: 1", "The report");
await page.locator("details.case summary").click();
await look("evaluation");
await page.getByRole("link", { name: "Open the prompt in a chat" }).click();
await page.waitForFunction(() => document.querySelector("#prompt")?.value.includes("Refund the order"));
done("a report is opened, and a failed case in the chat");

await decidesInSqlite(page, { expectText, look, problems });
done("a run of another process in a SQLite file is decided, and goes on there");
const postgres = await startPostgres();
await decidesOnPostgres(page, { address: postgres.url, expectText, look, problems });
await postgres.stop();
done("a run of another process on Postgres is decided, and goes on there");
await loadsChangedModules(page, { expectText, look });
done("a changed module is loaded at the same address, and the chat goes on");

// Another site asks the API, by its own name and by the name of another site that points to this machine.
const foreign = createServer((_, response) => response.setHeader("content-type", "text/html").end("<title>foreign</title>"));
await new Promise((resolve) => foreign.listen(0, "127.0.0.1", resolve));
const stranger = await context.newPage();
const reach = (target, headers) =>
  stranger.evaluate(
    ([to, sent]) =>
      fetch(to, { headers: sent }).then(
        (response) => response.status,
        () => "blocked",
      ),
    [target, headers],
  );
const authorization = `Bearer ${token}`;
await stranger.goto(`http://127.0.0.1:${foreign.address().port}/`);
for (const headers of [{}, { authorization }]) {
  const reached = await reach(`${origin}/api/studio`, headers);
  if (reached !== "blocked") problems.push(`A page of another origin gets ${reached}.`);
}
await stranger.goto(`http://evil.example:${new URL(origin).port}/`);
const rebound = await reach("/api/studio", { authorization });
if (rebound !== 403) problems.push(`DNS rebinding gets ${rebound}.`);
await stranger.close();
foreign.close();
done("a page of another origin, or by another name, can't reach the API");

const fresh = await browser.newPage();
await fresh.goto(origin);
await expectText(fresh.locator(".fault"), "Open the address that the studio printed", "A page without the token");
await fresh.close();
done("a page without the token says what to open");

if (process.argv.includes("--keep")) {
  console.log(`Open ${url}`);
  clearTimeout(late);
  await new Promise(() => undefined);
}
await browser.close();
clearTimeout(late);
if (problems.length > 0) fail(`The studio fails:\n${problems.join("\n")}`);
console.log("The studio works.");
process.exit(0);
