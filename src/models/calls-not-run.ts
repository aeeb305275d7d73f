/** What a model reads of a call that must not run because of how its answer ended. */
export const withheldText = "Not run: the provider withheld or rejected the answer that this call was part of.";

export const unknownEndText = "Not run: the answer that this call was part of ended for no known reason. Send the call again.";

export const cutOffText =
  "Not run: the call was cut off by the limit of output tokens, so its arguments may be incomplete. Send it again, with shorter arguments if they are long.";

/**
 * Whether a call of an answer that reached the limit of output tokens may be incomplete. The last one may, valid JSON or not:
 * some providers deliver what had arrived as an object.
 */
export function isCutOff(argumentsText: string, isLast: boolean): boolean {
  if (isLast) return true;
  try {
    JSON.parse(argumentsText);
    return false;
  } catch {
    return true;
  }
}
