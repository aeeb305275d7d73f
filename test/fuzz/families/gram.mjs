import { parseGram, parseTypeSignature, printGram, typeSignatureToJSONSchema } from "toolwright/gram";
import { filled } from "./build.mjs";
import { hostilePieces } from "./text-pieces.mjs";

/** Characters. */
const cap = 40_000;

const pieces = [
  ...hostilePieces,
  "::",
  "==>",
  "-->",
  "<--",
  "|",
  "(a)",
  "(::Text)",
  "[a:Tool]",
  "{a:1}",
  "@a(1)",
  "@@a:B",
  "Maybe ",
  "``",
  "^^",
  "..",
  "1..2",
  "2020-01-01",
  "a`b`",
  "'a'",
  '"a"',
];

const texts = {
  brackets: (_, length) => filled("[", length),
  parentheses: (_, length) => filled("(", length),
  braces: (_, length) => filled("{a:", length),
  lists: (_, length) => `(a {b:${filled("[", length)}})`,
  nodes: (_, length) => filled("(a:B {c:1}) ", length),
  path: (_, length) => `(a)${filled("-->(b)", length)}`,
  arrows: (_, length) => `(a)${filled("-", length)}>(b)`,
  elements: (_, length) => `[a | ${filled("b, ", length)}c]`,
  labels: (_, length) => `(a${filled(":B", length)})`,
  annotations: (_, length) => `${filled("@a(1) ", length)}(b)`,
  comments: (_, length) => filled("// a\n", length),
  openText: (_, length) => `(a {b:"${filled("\\", length)}`,
  texts: (_, length) => `(a {b:"${filled("x", length)}"})`,
  backticks: (_, length) => `(a {b:${filled("`", length)}})`,
  fencedText: (_, length) => `({a: \`\`\`\n${filled("` ``x", length)}\n\`\`\`})`,
  numbers: (_, length) => `(a {b:${filled("9", length)}})`,
  record: (_, length) => `(a {${Array.from({ length: length / 10 }, (_, index) => `k${index}:1`).join(",")}})`,
  blanks: (_, length) => filled(" \n", length),
  signature: (_, length) => `${filled("(::Text)==>", length)}(::String)`,
  parameters: (_, length) => `(${filled('(a:Text {description:"d"}),', length)})==>(::String)`,
  maybes: (_, length) => `(::${filled("Maybe ", length)}Text)==>(::String)`,
  listTypes: (_, length) => `(::${filled("[", length / 2)}Text${filled("]", length / 2)})==>(::String)`,
  recordTypes: (_, length) => `(::${filled("{a: ", length / 2)}Text${filled("}", length / 2)})==>(::String)`,
  wideRecordType: (_, length) => `(::{${Array.from({ length: length / 12 }, (_, index) => `f${index}: Text`).join(", ")}})==>(::String)`,
  toolNode: (_, length) => `[t:Tool {description:"d"} | (::Text)${filled("==>(::Text)", length)}]`,
  pieces: (random, length) => random.text(length, pieces),
  fewPieces: (random, length) =>
    random.text(
      length,
      random.list(3, () => random.pick(pieces)),
    ),
  pair: (random, length) => filled(random.pick(pieces) + random.pick(pieces), length),
};

/** Each reader; only what the first accepts goes on to the next. */
const attempt = (work) => {
  try {
    return work();
  } catch (error) {
    if (!["GramError", "GramSyntaxError", "TypeSignatureError", "SchemaError", "SpecificationError"].includes(error.name)) throw error;
    return undefined;
  }
};

export const family = {
  title: "gram texts",
  judged: ["processor", "memory"],
  shapes: Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [
      name,
      (random, share) => {
        const written = text(random, Math.floor(cap * share)).slice(0, cap);
        const reader = random.pick(["gram", "gram with types", "signature", "schema"]);
        return async () => {
          if (reader === "signature") attempt(() => parseTypeSignature(written));
          else if (reader === "schema") attempt(() => typeSignatureToJSONSchema(written));
          else {
            const document = attempt(() => parseGram(written, { typeSignatures: reader === "gram with types" }));
            if (document) attempt(() => printGram(document));
          }
        };
      },
    ]),
  ),
};
