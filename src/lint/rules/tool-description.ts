import type { Check, Remark } from "../finding.js";
import { tellingWords } from "../telling-words.js";

const fine: readonly Remark[] = [];

const triggers: readonly RegExp[] = [
  /\buse(?:d|ful)?\b[^.!?]{0,80}\b(?:when(?:ever)?|while|for|if|before|after|instead|only)\b/i,
  /\buse (?:(?:it|this|this tool|them) )?to\b/i,
  /\b(?:call(?:ed)?|prefer|ideal|best|needed|intended)\b[^.!?]{0,80}\b(?:when(?:ever)?|for|if|before|after|over)\b/i,
  /\b(?:when(?:ever)?|if) the (?:user|customer|caller)\b/i,
];

/** "Use when needed" is no trigger. */
const hollowTrigger =
  /\b(?:when(?:ever)?|if|as|where)(?: (?:it is|it's))? (?:needed|necessary|required|appropriate|applicable|relevant)\b/gi;

/** The trigger is what a model compares with the question. */
export const saysWhenToUse: Check = ({ description }) =>
  triggers.some((trigger) => trigger.test(description.replace(hollowTrigger, "")))
    ? fine
    : [
        {
          message: "The description says what the tool does, but not when to use it. A model needs both to choose.",
          fix: 'Add a sentence with the trigger: "Use when the user asks ...".',
        },
      ];

const startsWithResult =
  /^\s*(?:this (?:tool|function|endpoint|api|method) )?(?:will )?(?:returns?|outputs?|responds? with|results? in)\b/i;

/** If a tool returns goods, "return" says what it does. */
const returnsThings = /return/i;

export const saysWhatItDoes: Check = ({ name, description }) =>
  startsWithResult.test(description) && !returnsThings.test(name)
    ? [
        {
          message: `The description starts with what the tool returns ("${firstWords(description)}"), which no user asks for.`,
          fix: 'Start with what it does for the user: "Gets the balance of an account. ...". What it returns belongs into @returns.',
        },
      ]
    : fine;

/** Older and compatible endpoints of OpenAI refuse longer ones, and every model reads them before each answer. */
const longest = 1_024;

export const notTooLong: Check = ({ description }) =>
  description.length > longest
    ? [
        {
          message: `The description has ${description.length} characters. Some endpoints refuse more than ${longest}, and a model reads it before each answer.`,
          fix: "Say in one or two sentences what it does and when to use it. Rules for a parameter belong to the parameter, the rest into the instructions.",
        },
      ]
    : fine;

const hollow =
  /\b(?:helpful|useful|handy) (?:tool|function|utility|helper)\b|\b(?:various|miscellaneous) (?:things|stuff|tasks|operations|actions|features)\b|\bdoes (?:stuff|things)\b/i;
const fewestWords = 2;

export const notVague: Check = ({ description }) => {
  const said = hollow.exec(description)?.[0];
  if (said !== undefined) {
    return [
      {
        message: `"${said}" may mean anything, and a model takes it for what it needs.`,
        fix: "Name what the tool does, and leave out what it might do besides.",
      },
    ];
  }
  const words = tellingWords(description);
  // Most tools get something.
  words.delete("get");
  if (words.size >= fewestWords) return fine;
  return [
    {
      message: `"${firstWords(description)}" is too little to choose by.`,
      fix: "Say of whom or what, from which source, and when to use it.",
    },
  ];
};

function firstWords(description: string): string {
  const words = description.trim().split(/\s+/);
  return words.length > 6 ? `${words.slice(0, 6).join(" ")} ...` : words.join(" ");
}
