type ProviderOptions = Record<string, Record<string, unknown>>;

// https://platform.openai.com/docs/api-reference/responses/create, "metadata". Chat Completions takes it only for stored answers.
const responsesApi = /^(openai|azure)\.responses$/;
const mostPairs = 16;
const longestKey = 64;
const longestValue = 512;

/**
 * The provider options with the tags of the run as metadata, if the provider takes metadata. Metadata that the application set stays
 * as it is. Pairs that the provider would reject the request for are left out.
 */
export function withRunTags(
  provider: string,
  options: ProviderOptions | undefined,
  tags: Readonly<Record<string, string>> | undefined,
): ProviderOptions | undefined {
  const name = responsesApi.exec(provider)?.[1];
  if (tags === undefined || name === undefined) return options;
  const pairs = Object.entries(tags).filter(([key, value]) => key.length <= longestKey && value.length <= longestValue);
  if (pairs.length === 0) return options;
  return { ...options, [name]: { metadata: Object.fromEntries(pairs.slice(0, mostPairs)), ...options?.[name] } };
}
