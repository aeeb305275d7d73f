import type { ServiceRequest } from "./service.js";

/** What an engine is asked. */
export interface Search {
  readonly query: string;
  /** From 1 to the engine's `maxResults`. */
  readonly count: number;
  /** Empty where the engine needs none. */
  readonly apiKey: string;
}

/** A page that an engine found, as it says so: checked by whoever asked. */
export interface FoundPage {
  readonly title: unknown;
  readonly snippet: unknown;
  readonly url: unknown;
}

/**
 * A search engine: how it is asked and how it answers. It does no I/O, so that a new one is a plain object. Another address
 * of a ready one, such as a proxy's: `{ ...brave, url: "https://proxy.example.com/brave" }`.
 */
export interface SearchEngine {
  /** For people: "Brave Search". */
  readonly name: string;
  readonly url: string;
  /** The most results of one request. */
  readonly maxResults: number;
  readonly needsKey: boolean;
  /** What it means that the engine answers 401 or 403, in a sentence. */
  readonly whenRefused: string;
  request(search: Search): ServiceRequest;
  /** The pages of an answer of any shape, none where it holds none. May throw an `Error` with what the answer complains of. */
  pages(answer: unknown): readonly FoundPage[];
}
