import { answeredBy, optional, required, returns, Tool, tool } from "../../tool/index.js";

/**
 * Asks the user one question, and pauses the run until the answer is there: `@usesTools([AskUserTool])`.
 *
 * The response lists the call in `questions`, and `agent.resume(state, { decisions: [answer(question, "Blue")] })` goes on. The answer is a
 * text. See docs/24-calls-answered-elsewhere.md.
 */
@tool({
  identifier: "ask_user",
  description:
    "Asks the user a question and returns the answer. Use it when you need something that only the user knows or may decide, and can't go on without it. Ask one question at a time.",
  category: "read",
  consequenceLevel: "low",
})
@answeredBy("client")
@returns(String)
export class AskUserTool extends Tool {
  /** The question. */
  @required(String, { description: "The question, complete and short", minLength: 1 })
  question!: string;

  /** Answers to choose from. The user may give another one. */
  @optional([String], { description: "Answers to choose from; the user may give another one", maxItems: 20 })
  choices?: string[];
}
