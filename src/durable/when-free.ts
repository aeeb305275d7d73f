import { LeaseHeldError } from "../storage/index.js";

/** What `open` returns, once no other process holds the lease that it takes. Throws `LeaseHeldError` after so many milliseconds. */
export async function whenFree<Opened>(open: () => Promise<Opened>, longest: number): Promise<Opened> {
  const end = performance.now() + longest;
  for (let pause = 20; ; pause = Math.min(pause * 2, 500)) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof LeaseHeldError) || performance.now() + pause > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}
