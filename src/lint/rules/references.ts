import type { Check } from "../finding.js";
import { mentions } from "../mentions.js";
import { parametersIn } from "../parameters-in.js";

const reference =
  /\b(?:[Uu]se|[Uu]sing|[Cc]all|[Cc]alling|[Pp]refer|[Tt]ry|[Rr]un|[Ii]nvoke|with|via|[Ss]ee)\s+(?:the\s+)?(?:(?<quote>[`'"])(?<quoted>[A-Za-z][\w./-]*)\k<quote>|(?<plain>[a-z][a-z0-9]*(?:[_/][a-z0-9]+)+))(?<follows>\s+(?:tool|instead|first|function)\b)?/g;

/** "Use list_orders instead" is worse than nothing if there is no list_orders: the model calls it. */
export const namesKnownTools: Check = ({ description, parametersSchema }, { definitions }) => {
  const parameters = new Set(parametersIn(parametersSchema).map(({ name }) => name));
  return [...description.matchAll(reference)].flatMap(({ groups: { quoted, plain, follows } = {} }) => {
    const name = quoted ?? plain ?? "";
    // Other words, quoted ones too, may be anything: values, parameters elsewhere, read/write.
    if (!name.includes("_") && follows === undefined) return [];
    if (parameters.has(name) || definitions.some((known) => mentions(name, known.name))) return [];
    return [
      {
        message: `The description sends the model to ${name}, which isn't among the tools that are offered with it.`,
        fix: `Offer ${name} too, write the name that it has, or leave the sentence out.`,
      },
    ];
  });
};
