import type { Check } from "../finding.js";
import { parametersIn } from "../parameters-in.js";

/** https://platform.openai.com/docs/api-reference, https://docs.claude.com/en/api/messages, Amazon Bedrock's ToolSpecification. */
const strictName = /^[a-zA-Z0-9_-]+$/;
const longest = 64;
/** Gemini's function declarations; parameters there are identifiers. */
const startOfName = /^[a-zA-Z_]/;
const identifier = /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/;
/** Anthropic rejects the whole request if a parameter has another name. */
const parameterName = /^[a-zA-Z0-9_.-]{1,64}$/;

/** What only some providers take. The slashes of a registry's full names are expected: the wire has `_` for them. */
export const hasPortableNames: Check = ({ name, parametersSchema }) => [
  ...ofTool(name),
  ...parametersIn(parametersSchema).flatMap(ofParameter),
];

function ofTool(name: string): ReturnType<Check> {
  const fix = "Use letters, digits and _, a letter first, 64 at most: get_weather.";
  if (name.length > longest) {
    return [
      {
        message: `The name has ${name.length} characters. OpenAI, Anthropic and Bedrock take ${longest}, so that models read a shortened one.`,
        fix,
      },
    ];
  }
  if (!name.split("/").every((part) => strictName.test(part))) {
    return [
      { message: "OpenAI, Anthropic and Bedrock take only letters, digits, _ and - in a name, so that models read another one.", fix },
    ];
  }
  return startOfName.test(name) ? [] : [{ message: "Gemini takes only names that begin with a letter or _.", fix }];
}

function ofParameter({ name, path }: ReturnType<typeof parametersIn>[number]): ReturnType<Check> {
  if (identifier.test(name)) return [];
  const message = parameterName.test(name)
    ? `Gemini takes only letters, digits and _ in the names of parameters, a letter or _ first, and ${path} has others.`
    : `Anthropic refuses a request with a parameter such as ${path}: only letters, digits, _, . and -, 64 at most, may be in its name.`;
  return [{ message, fix: "Use letters, digits and _, a letter first: sender_email.", parameter: path }];
}
