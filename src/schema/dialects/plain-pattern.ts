/** Whether OpenAI and Gemini take a pattern: they refuse look-around and the classes of Unicode. */
export const isPlainPattern = (pattern: unknown): boolean => typeof pattern === "string" && !/\(\?[=!<]|\\[pP]\{/.test(pattern);
