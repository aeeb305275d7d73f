import type { Check } from "../finding.js";

/** What OpenAI, Azure and Groq take in one request; Gemini takes 512. docs/11-providers.md has the sources. */
const longest = 128;

/** The finding stands at the first tool that is too much. */
export const fitsIntoRequest: Check = (definition, { offered }) =>
  offered[longest] === definition
    ? [
        {
          message: `${offered.length} tools are offered together: OpenAI, Azure and Groq reject a request with more than ${longest}, Gemini one with more than 512.`,
          fix: "Offer fewer at a time: defer tools with @deferred(), or use a resolver of @usesTools, a profile, or prepareStep.",
        },
      ]
    : [];
