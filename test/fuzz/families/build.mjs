/** The piece, as often as it fits into `length`, and once at least. */
export const filled = (piece, length) => piece.repeat(Math.max(1, Math.floor(length / piece.length)));

/** `count` results of `make`, which gets the index; one at least. */
export const times = (count, make) => Array.from({ length: Math.max(1, Math.floor(count)) }, (_, index) => make(index));

/** The object of `count` entries. */
export const record = (count, make) => Object.fromEntries(times(count, make));

/** `make` around `leaf`, again and again. */
export const nested = (levels, leaf, make) => {
  let value = leaf;
  for (let level = 0; level < levels; level++) value = make(value);
  return value;
};
