import { useEffect, useState } from "preact/hooks";
import { ask, messageOf } from "./request.js";

/** Milliseconds between two looks, while the tab is seen. */
const interval = 2_000;

/** What the API answers, asked again and again; at once when `revision` changes. */
export function usePolled<Answer>(path: string, revision = 0): { readonly value?: Answer; readonly fault?: string } {
  const [answer, setAnswer] = useState<{ readonly value?: Answer; readonly fault?: string }>({});
  useEffect(() => {
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async (): Promise<void> => {
      if (!document.hidden) {
        try {
          const value = await ask<Answer>(path, undefined, leaving.signal);
          if (!leaving.signal.aborted) setAnswer({ value });
        } catch (error) {
          if (!leaving.signal.aborted) setAnswer((before) => ({ ...before, fault: messageOf(error) }));
        }
      }
      if (!leaving.signal.aborted) timer = setTimeout(() => void look(), interval);
    };
    void look();
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [path, revision]);
  return answer;
}
