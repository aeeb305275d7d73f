import { keepText, keptText } from "./kept-texts.js";

/** What a person has typed about a call that waits. */
export interface DecisionDraft {
  readonly reason?: string | undefined;
  readonly edited?: string | undefined;
}

type Drafts = readonly (readonly [id: string, draft: DecisionDraft])[];

/** The most drafts that a tab keeps, the last changed: calls that are decided elsewhere leave theirs behind. */
const mostDrafts = 50;

const name = "decisions";

// The page wrote them.
const keptDrafts = (): Drafts => JSON.parse(keptText(name) ?? "[]") as Drafts;

const withoutDraft = (id: string): Drafts => keptDrafts().filter(([known]) => known !== id);

/** The draft of a decision about a confirmation. */
export const keptDraft = (id: string): DecisionDraft => keptDrafts().find(([known]) => known === id)?.[1] ?? {};

/** Keeps a draft in this tab over a reload. One that is too large leaves the others as they are. */
export function keepDraft(id: string, draft: DecisionDraft): void {
  const others = withoutDraft(id);
  if (!keepText(name, JSON.stringify([...others, [id, draft]].slice(-mostDrafts)))) keepText(name, JSON.stringify(others));
}

/** Forgets the draft of a decision that was taken. */
export const forgetDraft = (id: string): void => void keepText(name, JSON.stringify(withoutDraft(id)));
