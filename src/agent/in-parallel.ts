/** Runs `work` for each item, at most `limit` at a time, started in order. `work` must not reject. */
export async function inParallel<Item>(items: readonly Item[], limit: number, work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = items.values();
  const worker = async (): Promise<void> => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
}
