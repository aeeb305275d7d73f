/**
 * The processor time that synchronous work took, in milliseconds. What would take minutes or hours if a hostile input were a problem
 * is compared with `atOnce`: a time that no busy machine needs.
 */
export function processorTimeOf(work: () => void): number {
  const started = process.cpuUsage();
  work();
  const { user } = process.cpuUsage(started);
  return user / 1_000;
}

export const atOnce = 10_000;
