/**
 * Success with a value or failure with an error.
 *
 * ```ts
 * const checked = validateToolArgs(schema, args);
 * if (checked.ok) use(checked.value);
 * else console.error(checked.error);
 * ```
 */
export type Result<T, E> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E };

export const succeed = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });

export const fail = <E>(error: E): { readonly ok: false; readonly error: E } => ({ ok: false, error });
