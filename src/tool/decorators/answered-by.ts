import type { AnsweredBy } from "../tool-definition.js";
import { classDecorator, type ToolClassDecorator } from "./class-decorator.js";

/**
 * Declares that the calls of a tool are answered outside of the run: `@answeredBy("client")`. The class has `@returns(type)` and no `call`.
 *
 * A call pauses the run. The response lists it in `questions`, and `answer(question, value)` goes on with it:
 * `agent.resume(state, { decisions: [answer(question, "blue")] })`. The value is validated against the type of `@returns`, and the model reads
 * it as an untrusted result. See docs/24-calls-answered-elsewhere.md.
 */
export function answeredBy(who: AnsweredBy): ToolClassDecorator<"answeredBy"> {
  return classDecorator("answeredBy", { answeredBy: who });
}
