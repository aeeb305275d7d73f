/** Never ends: takes time alone, or memory too. */
export function endless(what: string): never {
  const taken: number[][] = [];
  for (;;) if (what === "memory") taken.push(new Array(1_000).fill(0));
}
