let kept = "";

/** Keeps a prompt for the chat that is opened next. */
export const keepPrompt = (prompt: string): void => void (kept = prompt);

/** The kept prompt, once. */
export function takePrompt(): string {
  const prompt = kept;
  kept = "";
  return prompt;
}
