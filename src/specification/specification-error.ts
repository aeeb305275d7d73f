/** The author's mistake in a tool specification, an agent specification, a library or an experiment. Names it, the value and the fix. */
export class SpecificationError extends Error {
  override readonly name = "SpecificationError";
}
