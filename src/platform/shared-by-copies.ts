/**
 * One value for all copies of this package in the process, such as its ES module and its CommonJS form, or those before and after a hot
 * reload. `name` ends with a number, which changes with the value's form.
 */
export function sharedByCopies<Value>(name: string, make: () => Value): Value {
  // What stands under this symbol was made by a copy of this package.
  const shared = globalThis as { [key: symbol]: Value | undefined };
  return (shared[Symbol.for(`toolwright.${name}`)] ??= make());
}
