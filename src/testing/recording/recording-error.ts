/** A recording doesn't contain what a test requests, or can't be read. The message shows the difference. See docs/06-testing.md. */
export class RecordingError extends Error {
  override readonly name = "RecordingError";
}

/** The fix for most recording errors. */
export const howToRecord = "Run the test with TOOLWRIGHT_RECORD=1, and the real model's key, to record it.";
