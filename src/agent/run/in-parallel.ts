/** Runs `work` for each item, at most `limit` at a time, started in order. `work` must not reject. */
export function inParallel<Item>(items: readonly Item[], limit: number, work: (item: Item) => Promise<void>): Promise<unknown> {
  const [first] = items;
  // Most steps have one call, for which Promise.all would allocate ten times as much.
  if (first !== undefined && items.length === 1) return work(first);
  if (items.length <= limit) return Promise.all(items.map(work));
  const waiting = items.values();
  const workOff = async (): Promise<void> => {
    for (const item of waiting) await work(item);
  };
  return Promise.all(Array.from({ length: limit }, workOff));
}
