/** The kinds of input that `npm run fuzz` makes, by the name that `--only` takes. */
export const familyNames = [
  "arguments",
  "schemas",
  "patterns",
  "gram",
  "urls",
  "mcp-messages",
  "mcp-lists",
  "results",
  "open-api",
  "pages",
];

export const loadFamily = async (name) => (await import(`./${name}.mjs`)).family;
