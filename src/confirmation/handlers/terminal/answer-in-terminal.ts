import { describeFaults } from "../../../schema/index.js";
import { compileSchema } from "../../../schema/internal.js";
import { answer, type Decision } from "../../decision.js";
import type { Question } from "../../question.js";
import { visibleText } from "../visible-text.js";

/** Asks for a line. */
type AskLine = (question: string) => Promise<string>;

/** Asks for the answer until it fits. `undefined` for an empty line, and for an answer that can't be typed in one. */
export async function answerInTerminal(
  question: Question,
  askPerson: AskLine,
  output: NodeJS.WritableStream,
): Promise<Decision | undefined> {
  const { answerSchema } = question;
  const { type } = answerSchema;
  if (type !== "string" && type !== "number" && type !== "integer" && type !== "boolean") {
    output.write("The answer has parts that can't be typed in one line. The run waits for it.\n");
    return undefined;
  }
  for (;;) {
    const line = await askPerson(`Your answer${type === "string" ? "" : ` (${type})`}, an empty line leaves it open: `);
    if (line === "") return undefined;
    const value = type === "string" ? line : readJson(line);
    const checked = compileSchema(answerSchema).validate(value, { owned: false, repair: false });
    if (checked.ok) return answer(question, value);
    output.write(`This doesn't fit: ${visibleText(describeFaults(checked.error, "the answer"))}.\n`);
  }
}

/** The text itself if it isn't JSON: the check says what is expected. */
function readJson(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return line;
  }
}
