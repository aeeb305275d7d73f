/** What can be read as text. */
export const textTypes: readonly string[] = [
  "text/*",
  "application/json",
  "application/*+json",
  "application/xml",
  "application/*+xml",
  "application/javascript",
  "application/yaml",
];

/** `Text/HTML; charset=utf-8` is `text/html`. */
export const essenceOf = (contentType: string | undefined): string => (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";

/** Patterns hold one star at most (`text/*`, `application/*+json`), or two for every type. An answer that doesn't say its type fits none. */
export function isOfType(essence: string, patterns: readonly string[]): boolean {
  return (
    essence !== "" &&
    patterns.some((pattern) => {
      if (pattern === "*/*") return true;
      const [start = "", end] = pattern.split("*");
      return end === undefined ? essence === start : essence.startsWith(start) && essence.endsWith(end);
    })
  );
}
