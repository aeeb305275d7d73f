/** Freezes plain data all the way down. What is frozen already counts as done. */
export function freezeDeep(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const key in value) freezeDeep((value as Record<string, unknown>)[key]);
}
