const turns = new WeakMap<object, Promise<unknown>>();

/** One after another for all who share a terminal: calls of a step, agents, handlers. */
export function inTurn<Outcome>(terminal: object, work: () => Promise<Outcome>): Promise<Outcome> {
  const turn = (turns.get(terminal) ?? Promise.resolve()).then(work);
  const settled = turn.then(nothing, nothing);
  turns.set(terminal, settled);
  return turn;
}

const nothing = (): void => undefined;
