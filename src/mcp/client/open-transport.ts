import type { Transport } from "@modelcontextprotocol/client";

/** A transport that is open, or about to be. */
export interface OpenTransport {
  readonly transport: Transport;
  /** The end of what the server wrote to its error output; over HTTP, what credentials its last answer asks for. */
  readonly lastWords: () => string;
  /** Why Toolwright closed it; `undefined` if it didn't. */
  readonly failure: () => Error | undefined;
  /** To be called when it is closed. */
  readonly forget: () => void;
}
