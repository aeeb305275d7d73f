import type { DecidedLine } from "../../api.js";
import { Value, Visible } from "./text.js";

const words: Readonly<Record<DecidedLine["decision"], string>> = {
  approve: "Approved",
  deny: "Denied",
  approve_edited: "Approved with other arguments",
  answer: "Answered",
};

/** The most characters of a reason that are shown here. */
const longestReason = 500;

type Decided = Pick<DecidedLine, "decision" | "decidedBy" | "reason" | "decidedAt">;

/** What was decided, by whom, when and why. */
export function DecisionNote({ decided: { decision, decidedBy, reason, decidedAt } }: { readonly decided: Decided }) {
  const by = decidedBy === undefined ? "" : ` by ${decidedBy}`;
  const time = decidedAt === undefined ? "" : `, ${new Date(decidedAt).toLocaleString()}`;
  const why = reason === undefined ? "" : `: ${reason.length > longestReason ? `${reason.slice(0, longestReason)}...` : reason}`;
  return (
    <p class="note decision">
      <Visible text={`${words[decision]}${by}${time}${why}`} />
    </p>
  );
}

/** What a person wrote in place of the model's arguments. */
export const EditedArguments = ({ decided: { arguments: edited } }: { readonly decided: Pick<DecidedLine, "arguments"> }) =>
  edited === undefined ? null : <Value value={edited} label="Approved arguments" />;
