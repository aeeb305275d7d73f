/** Runs `work` for each item, at most `limit` at a time, started in order. `work` must not reject. */
export function inParallel<Item>(items: readonly Item[], limit: number, work: (item: Item) => Promise<void>): Promise<unknown> {
  const remaining = items.values();
  const workOff = async (): Promise<void> => {
    for (const item of remaining) await work(item);
  };
  // One worker for each item is no limit at all, and a step has one call more often than not.
  return Promise.all(items.length <= limit ? items.map(work) : Array.from({ length: limit }, workOff));
}
