/** Freezes plain data all the way down, and gives it. What is frozen already counts as done. */
export function freezeDeep<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  // What holds no objects is passed over here: most members are texts and numbers.
  for (const key in value) if (typeof value[key] === "object" && Object.hasOwn(value, key)) freezeDeep(value[key]);
  return value;
}
