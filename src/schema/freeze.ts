/** Freezes plain data all the way down, and gives it. What is frozen already counts as done. */
export function freezeDeep<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const key in value) freezeDeep(value[key]);
  return value;
}
