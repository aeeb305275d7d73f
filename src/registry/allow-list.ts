import type { ExecutionProfile } from "../execution/index.js";

/** Whether the profile says what is allowed: categories alone would only narrow it. */
export const hasAllowList = ({ allowedTools, tags }: ExecutionProfile): boolean => allowedTools !== undefined || tags !== undefined;
