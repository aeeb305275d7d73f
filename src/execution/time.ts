let lastTime = 0;
let lastText = "";

/** The time in the form of `fetchedAt`. The text is kept for its millisecond, because making it costs more than a call. */
export function isoTime(): string {
  const now = Date.now();
  if (now !== lastTime) {
    lastTime = now;
    lastText = new Date(now).toISOString();
  }
  return lastText;
}
