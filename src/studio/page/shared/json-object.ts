export type JsonObject = Readonly<Record<string, unknown>>;

/** What a person typed as a JSON object. */
export type ReadObject =
  | { readonly value: JsonObject; readonly fault?: undefined }
  | { readonly fault: string; readonly value?: undefined };

export function readObject(text: string): ReadObject {
  if (text.trim() === "") return { value: {} };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { value: value as JsonObject };
    return { fault: 'This must be a JSON object, such as {"userId": "42"}.' };
  } catch (error) {
    return { fault: `This isn't JSON: ${(error as Error).message}` };
  }
}
