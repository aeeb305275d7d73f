/**
 * npm run prose [-- --worst=20]
 *
 * Counts words and sentences that readers stop at, in README.md, docs/ (without the list of features), and the comments and texts of src/, and prints the longest
 * sentences. It is a lamp, not a law: nothing fails by it.
 */
import { readdirSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import typescript from "typescript";

const { worst } = parseArgs({ options: { worst: { type: "string", default: "20" } } }).values;
const mostWords = 30;

/** A count of "where" includes places, for which the word is right. */
const words = {
  where: /\bwhere\b/gi,
  if: /\bif\b/gi,
  "told, tell, hear": /\b(?:told|tells?|hears?|heard)\b/gi,
  "nobody, whoever, everybody": /\b(?:nobody|whoever|everybody)\b/gi,
  mend: /\bmend(?:s|ed)?\b/gi,
  "of which, that which": /\b(?:of|that) which\b/gi,
};

const filesOf = (folder, ending) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(ending))
    .map((file) => `${folder}/${file}`);

/** The prose of a page: without code, and with each cell of a table as a sentence of its own. */
const proseOfPage = (text) =>
  text
    .replace(/```[\s\S]*?```/g, "\n\n")
    .replace(/`[^`]*`/g, "code")
    .replace(/[|]/g, ".\n")
    .split(/\n(?=\s*(?:[-*#>]|\d+\.)\s)|\n\n/);

/** The comments and texts of a source file. */
function proseOfSource(text, file) {
  const source = typescript.createSourceFile(file, text, typescript.ScriptTarget.Latest, true);
  const found = [...text.matchAll(/\/\*\*?([\s\S]*?)\*\/|(?<=^|\s)\/\/(.*)$/gm)].map(([, block, line]) =>
    (block ?? line).replace(/^\s*\* ?/gm, "").replace(/```[\s\S]*?```|`[^`]*`/g, "code"),
  );
  const visit = (node) => {
    if ((typescript.isStringLiteralLike(node) || typescript.isTemplateExpression(node)) && node.getText().includes(" ")) {
      found.push(node.getText().slice(1, -1));
    }
    typescript.forEachChild(node, visit);
  };
  visit(source);
  return found.flatMap((piece) => piece.split(/\n\n|\n(?=\s*[-*|])/));
}

const sentencesOf = (piece) =>
  piece
    .replace(/\s+/g, " ")
    .split(/(?<=[.!?:])\s+(?=[A-Z"[(])/)
    .filter((sentence) => /\w/.test(sentence));

const areas = {
  "README.md, docs/": ["README.md", ...filesOf("docs", ".md").filter((file) => file !== "docs/features.md")].flatMap((file) =>
    proseOfPage(readFileSync(file, "utf8")),
  ),
  "src/": filesOf("src", ".ts").flatMap((file) => proseOfSource(readFileSync(file, "utf8"), file)),
};
for (const [area, pieces] of Object.entries(areas)) {
  const sentences = pieces.flatMap(sentencesOf);
  const lengthOf = (sentence) => sentence.split(" ").length;
  const long = sentences.filter((sentence) => lengthOf(sentence) > mostWords).sort((one, other) => lengthOf(other) - lengthOf(one));
  const text = pieces.join("\n");
  console.log(`${area}: ${text.split(/\s+/).length} words, ${sentences.length} sentences, ${long.length} over ${mostWords} words`);
  for (const [name, pattern] of Object.entries(words)) console.log(`  ${name}: ${[...text.matchAll(pattern)].length}`);
  for (const sentence of long.slice(0, Number(worst))) console.log(`  ${lengthOf(sentence)}: ${sentence.slice(0, 200)}`);
}
