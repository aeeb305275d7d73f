/** Waits until something holds. Gives up only shortly before jest ends the test: a machine may be busy. */
export async function until(holds: () => boolean): Promise<void> {
  const end = performance.now() + 25_000;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`It never held: ${holds.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
