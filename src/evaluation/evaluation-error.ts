/**
 * An evaluation can't be carried out as asked: a case is wrong, or answers can't be kept. The message names the case, or the line of the
 * file. See docs/29-evaluation.md.
 */
export class EvaluationError extends Error {
  override readonly name = "EvaluationError";
}
