let lastTime = 0;
let lastText = "";

/** The time now as `fetchedAt` has it. The text is kept for the millisecond, because making it costs more than a call. */
export function isoTime(): string {
  const now = Date.now();
  if (now !== lastTime) {
    lastTime = now;
    lastText = new Date(now).toISOString();
  }
  return lastText;
}
