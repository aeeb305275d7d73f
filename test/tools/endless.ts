/** Never ends: takes time alone, or memory too. */
export function endless(what: string): never {
  // Many small arrays would keep newer versions of Node at collecting garbage, and a thread that does can't be stopped.
  const taken: number[][] = [];
  for (;;) if (what === "memory") taken.push(new Array(100_000).fill(0));
}
