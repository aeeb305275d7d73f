import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** How many rows are drawn in one piece of work. */
const chunkLength = 40;

/** The rows in pieces, each of which is drawn in a few milliseconds. */
export function chunksOf<Row>(rows: readonly Row[]): readonly (readonly Row[])[] {
  return Array.from({ length: Math.ceil(rows.length / chunkLength) }, (_, index) =>
    rows.slice(index * chunkLength, (index + 1) * chunkLength),
  );
}

/**
 * How many chunks of a list are drawn: one more each time that its end comes near. `more` belongs behind the list. `list` begins it anew
 * when it changes.
 */
export function useGrowing(total: number, list: unknown): { readonly count: number; readonly more: VNode | null } {
  const [count, setCount] = useState(1);
  const end = useRef<HTMLButtonElement>(null);
  useEffect(() => setCount(1), [list]);
  useEffect(() => {
    const { current } = end;
    if (current === null) return;
    // An observer reports once when it begins, so each chunk needs a new one: the end may still be near.
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting === true && setCount(count + 1), { rootMargin: "400px" });
    observer.observe(current);
    return () => observer.disconnect();
  }, [count, total]);
  const grow = (): void => setCount(count + 1);
  const more = (
    <button ref={end} type="button" onClick={grow}>
      Show more
    </button>
  );
  return { count, more: count < total ? more : null };
}
