/**
 * A success with a `value`, or a failure with an `error`.
 *
 * ```ts
 * const checked = validateToolArgs(schema, args);
 * if (checked.ok) use(checked.value);
 * else console.error(checked.error);
 * ```
 */
export type Result<T, E> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E };

/** Makes a successful `Result`: `succeed({ temperature: 21 })`. See docs/02-tools.md. */
export const succeed = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });

/**
 * Makes a failed `Result`: `fail("No station in Atlantis.")`. If `execute` of `createTool` returns it, the call fails. See
 * docs/02-tools.md.
 */
export const fail = <E>(error: E): { readonly ok: false; readonly error: E } => ({ ok: false, error });
