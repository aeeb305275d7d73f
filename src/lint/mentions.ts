/** Whether a text names a tool: by its name, the last part of a full name, or as it goes over the wire. */
export function mentions(text: string, name: string): boolean {
  const forms = [name, name.slice(name.lastIndexOf("/") + 1), name.replace(/[^a-zA-Z0-9_-]/g, "_")];
  return forms.some((form) => new RegExp(`(?<![\\w/.-])${form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w/-])`).test(text));
}
