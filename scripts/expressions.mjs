/**
 * npm run expressions [-- --only=src/tool]
 *
 * Finds every regular expression of src/: literals, and `new RegExp(...)` whose parts are constants. A checker (recheck) judges each, and
 * each is run on attacks: the checker's, and texts that are made of the expression's own characters. Eight times the length may take ten
 * times the processor time at most. What takes longer is measured again in fresh processes, and counts if all measurements agree.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { check } from "recheck";
import typescript from "typescript";
import { growth, isSuspicious, timeOn } from "./expression-growth.mjs";

const mostGrowth = 10;
const measurements = 2;
/** The checker searches at random: a seed makes its verdicts repeatable. What it can't judge in time is run all the same. */
const judging = { timeout: 1_500, randomSeed: 1 };

/** Files whose expressions only ever meet texts of so many characters: what counts there is the time for such a text. */
const bounded = new Map([["src/models/keyword/candidates.ts", 2_000]]);
const mostBoundedTime = 200;

const { values: options } = parseArgs({ options: { only: { type: "string", default: "src" } } });

const found = new Map();
for (const path of sources(options.only)) {
  for (const { place, source, flags } of expressionsOf(path)) {
    const same = found.get(`${source}/${flags}`);
    if (same === undefined) found.set(`${source}/${flags}`, { source, flags, places: [place] });
    else same.places.push(place);
  }
}

let slow = 0;
let unjudged = 0;
for (const expression of found.values()) {
  const verdict = await check(expression.source, expression.flags.replaceAll(/[dgy]/g, ""), judging);
  if (verdict.status === "unknown") unjudged += 1;
  const attack = attacksOf(expression, verdict).find((each) => isSlow(expression, each));
  if (attack === undefined) continue;
  slow += 1;
  process.stdout.write(`${expression.places.join(", ")}: /${expression.source}/${expression.flags}\n  slow on ${JSON.stringify(attack)}\n`);
}
process.stdout.write(`${found.size} expressions, ${slow} slow, ${unjudged} not judged by the checker but run\n`);
process.exitCode = slow === 0 ? 0 : 1;

function sources(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${folder}/${name}`);
}

function expressionsOf(path) {
  const file = typescript.createSourceFile(path, readFileSync(path, "utf8"), typescript.ScriptTarget.Latest, true);
  const expressions = [];
  const place = (node) => `${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
  const visit = (node) => {
    if (typescript.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      expressions.push({ place: place(node), source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    } else if (isRegExpCall(node)) {
      const [source, flags] = (node.arguments ?? []).map((argument) => constantOf(argument, file));
      // What is made of values of the application or of a schema is bounded where it is made.
      if (source !== undefined) expressions.push({ place: place(node), source, flags: flags ?? "" });
    }
    typescript.forEachChild(node, visit);
  };
  visit(file);
  return expressions;
}

function isRegExpCall(node) {
  return (typescript.isNewExpression(node) || typescript.isCallExpression(node)) && node.expression.getText() === "RegExp";
}

/** The text of a constant expression; constants of the same file count. */
function constantOf(node, file) {
  if (typescript.isStringLiteralLike(node)) return node.text;
  if (typescript.isRegularExpressionLiteral(node)) return node.text.slice(1, node.text.lastIndexOf("/"));
  if (typescript.isPropertyAccessExpression(node) && node.name.text === "source") return constantOf(node.expression, file);
  if (typescript.isBinaryExpression(node)) return joined([node.left, node.right], file);
  if (typescript.isTemplateExpression(node)) {
    const parts = node.templateSpans.map(({ expression, literal }) => {
      const value = constantOf(expression, file);
      return value === undefined ? undefined : value + literal.text;
    });
    return parts.includes(undefined) ? undefined : node.head.text + parts.join("");
  }
  if (typescript.isIdentifier(node)) {
    const declaration = file.statements
      .filter(typescript.isVariableStatement)
      .flatMap(({ declarationList }) => declarationList.declarations)
      .find(({ name }) => name.getText() === node.text);
    return declaration?.initializer === undefined ? undefined : constantOf(declaration.initializer, file);
  }
  return undefined;
}

function joined(nodes, file) {
  const parts = nodes.map((node) => constantOf(node, file));
  return parts.includes(undefined) ? undefined : parts.join("");
}

/** `{ pumps: [{ prefix, pump }], suffix }`: the pumps are what is repeated. */
function attacksOf({ source }, { status, attack, checker }) {
  const words = wordsOf(source);
  // What the checker's automaton has proved needs no search for an attack.
  const prefixes = checker === "automaton" && status === "safe" ? [""] : prefixesOf(words);
  const made = prefixes.flatMap((prefix) => pumpsOf(words).map((pump) => ({ pumps: [{ prefix, pump }], suffix: "\u0000" })));
  if (attack === undefined) return made;
  return [{ pumps: attack.pumps, suffix: attack.suffix }, ...made];
}

/** The literal parts of an expression: `;\s*rel="` has `;` and `rel="`. */
function wordsOf(source) {
  const plain = source.replaceAll(/\\[dDwWsSbBkpPux]|\(\?<?[:=!]|\(\?<\w+>|\{\d+(?:,\d*)?\}/g, " ").replaceAll("\\", "");
  return [...new Set(plain.split(/[\s()[\]|?*+^$]+/).filter((word) => word !== ""))].slice(0, 8);
}

function pumpsOf(words) {
  const characters = [...new Set(words.join(""))].slice(0, 8);
  return [...new Set([...words, ...words.map((word) => ` ${word}`), ...characters, "a", "1", " ", "\n"])];
}

function prefixesOf(words) {
  return ["", ...words.slice(0, 6).map((_, index) => words.slice(0, index + 1).join(""))];
}

function boundOf({ places }) {
  const bounds = places.map((place) => bounded.get(place.replace(/:\d+$/, "")) ?? Number.POSITIVE_INFINITY);
  return Math.max(...bounds);
}

function isSlow(expression, attack) {
  const bound = boundOf(expression);
  if (bound < Number.POSITIVE_INFINITY) return timeOn(expression, attack, bound) > mostBoundedTime;
  if (!isSuspicious(expression, attack) || growth(expression, attack) <= mostGrowth) return false;
  const input = JSON.stringify({ expression, attack });
  const script = fileURLToPath(new URL("expression-growth.mjs", import.meta.url));
  for (let measured = 0; measured < measurements; measured += 1) {
    const { stdout } = spawnSync(process.execPath, [script, input], { encoding: "utf8", timeout: 60_000 });
    // A process that had to be stopped measured nothing: the expression has no end.
    if (stdout !== "" && Number(stdout) <= mostGrowth) return false;
  }
  return true;
}
