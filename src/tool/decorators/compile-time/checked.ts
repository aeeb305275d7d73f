/** `Key` itself if nothing is wrong, else a message that `Key` can't be assigned to: one line in the compiler's report. */
export type Checked<Key, Problem> = [Problem] extends [never] ? Key : Problem;

/** The word that the author wrote: `@required` or `@optional`. */
export type ParameterWord = "required" | "optional";

/** An argument that isn't passed. Not `undefined`, which without strict null checks extends every type. */
export type Nothing = false;
