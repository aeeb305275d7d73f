/** A test asks a recording for what it doesn't hold, or there is none that can be read. */
export class RecordingError extends Error {
  override readonly name = "RecordingError";
}

/** What mends most of it. */
export const howToRecord = "Run the test with TOOLWRIGHT_RECORD=1, and the real model's key, to record it.";
