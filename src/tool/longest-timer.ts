/** The longest delay that a timer of the platform takes, in milliseconds; it fires at once for anything longer. */
export const longestTimer = 2 ** 31 - 1;
