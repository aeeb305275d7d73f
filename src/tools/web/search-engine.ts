import type { ServiceRequest } from "./service.js";

/** What a search engine's `request` receives. */
export interface Search {
  /** The search terms. */
  readonly query: string;
  /** The number of results, from 1 to the engine's `maxResults`. */
  readonly count: number;
  /** The key; empty if the engine needs none. */
  readonly apiKey: string;
}

/** A result of a search engine, as its response has it. `web_search` checks the values. */
export interface FoundPage {
  readonly title: unknown;
  readonly snippet: unknown;
  readonly url: unknown;
}

/**
 * A search engine for `webSearch`: how to request results and how to read the response. It does no I/O.
 *
 * To change the address of an engine, copy it: `{ ...brave, url: "https://proxy.example.com/brave" }`. See
 * docs/07-built-in-tools.md.
 */
export interface SearchEngine {
  /** The name for people: `Brave Search`. */
  readonly name: string;
  /** The URL of the search endpoint. */
  readonly url: string;
  /** The most results of one request. */
  readonly maxResults: number;
  /** Whether the engine needs an API key. */
  readonly needsKey: boolean;
  /** What status 401 or 403 means, as a sentence for the error message. */
  readonly whenRefused: string;
  /** Returns query and headers of the request. */
  request(search: Search): ServiceRequest;
  /** Returns the results in a response of any shape, or an empty list. May throw an `Error` with the response's own error message. */
  pages(answer: unknown): readonly FoundPage[];
}
