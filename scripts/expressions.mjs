/**
 * npm run expressions [-- --only=src/tool]
 *
 * Finds every regular expression of src/: literals, and `new RegExp(...)` whose parts are constants. A checker (recheck) judges each, and
 * each is run on an attack: the checker's, or texts that are made of the expression's own characters. Eight times the length may take ten
 * times the time at most. What takes longer is measured again, alone in a fresh process, and counts if three measurements agree.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { check } from "recheck";
import typescript from "typescript";
import { growth } from "./expression-growth.mjs";

const mostGrowth = 10;
const measurements = 3;

const { values: options } = parseArgs({ options: { only: { type: "string", default: "src" } } });

const found = new Map();
for (const path of sources(options.only)) {
  for (const expression of expressionsOf(path)) found.set(`${expression.source}/${expression.flags}`, expression);
}

let failures = 0;
for (const expression of found.values()) {
  const attacks = attacksOf(expression, await check(expression.source, expression.flags.replaceAll(/[dgy]/g, ""), { timeout: 5_000 }));
  const slow = attacks.find((attack) => isSlow(expression, attack));
  if (slow === undefined) continue;
  failures += 1;
  process.stdout.write(`${expression.place}: /${expression.source}/${expression.flags}\n  slow on ${JSON.stringify(slow)}\n`);
}
process.stdout.write(`${found.size} expressions, ${failures} slow\n`);
process.exitCode = failures === 0 ? 0 : 1;

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

/** `{ prefix, pump, suffix }`: the pump is what is repeated. */
function attacksOf({ source }, { status, attack }) {
  const made = pumpsOf(source).flatMap((pump) => ["\u0000"].map((suffix) => ({ prefix: "", pump, suffix })));
  if (status !== "vulnerable" || attack === undefined) return made;
  const pumps = attack.pumps.map(({ prefix, pump }) => ({ prefix, pump, suffix: attack.suffix }));
  return [...pumps, ...made];
}

/** What the expression is made of: its words, its characters, and what its classes hold. */
function pumpsOf(source) {
  const plain = source.replaceAll(/\\[dDwWsSbBkpPux]|\(\?<?[:=!]|\(\?<\w+>|\{\d+(?:,\d*)?\}/g, " ").replaceAll("\\", "");
  const words = plain.split(/[\s()[\]|?*+^$]+/).filter((word) => word !== "");
  const characters = [...new Set(plain)].slice(0, 8);
  return [...new Set([...words.slice(0, 8), ...characters, "a", "1", " ", "\n"])].slice(0, 16);
}

function isSlow(expression, attack) {
  if (growth(expression, attack) <= mostGrowth) return false;
  const input = JSON.stringify({ expression, attack });
  const script = fileURLToPath(new URL("expression-growth.mjs", import.meta.url));
  for (let measured = 0; measured < measurements; measured += 1) {
    const { stdout } = spawnSync(process.execPath, [script, input], { encoding: "utf8", timeout: 60_000 });
    // A process that had to be stopped measured nothing: the expression has no end.
    if (stdout !== "" && Number(stdout) <= mostGrowth) return false;
  }
  return true;
}
