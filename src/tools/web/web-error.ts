/** What went wrong with a page or a service, in words for a model: what to do next, and no key. */
export class WebError extends Error {
  override readonly name = "WebError";
}
