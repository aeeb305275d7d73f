import type { Client, ElicitRequestFormParams, JSONRPCMessage, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { readContent } from "./content-intake.js";
import { type CallUnderWay, elicit, type OnMcpElicitation } from "./elicitation.js";
import { ListIntake } from "./listed-tools.js";
import { loadSdk } from "./load-sdk.js";
import type { OpenTransport } from "./open-transport.js";

/** One session with a server, from its first message to the end of its transport. */
export interface Session {
  readonly client: Client;
  readonly open: OpenTransport;
  /** Of the list that is being read. */
  intake: ListIntake;
  /** How many wait for an answer. */
  inFlight: number;
  readonly calls: Set<CallUnderWay>;
}

/** Milliseconds. Servers older than the revision 2026-07-28 may leave the question for it unanswered. */
const longestProbe = 10_000;

/** Milliseconds that a server gets to end a session. */
const longestFarewell = 2_000;

export const endedAtStart = "It ended while it was started.";

/** Begins a session over an open transport. */
export async function beginSession(
  open: OpenTransport,
  {
    onElicitation,
    isOlder,
    onListChanged,
    onLost,
  }: {
    readonly onElicitation: OnMcpElicitation | undefined;
    /** A process that is older than the revision 2026-07-28 isn't asked for it again. */
    readonly isOlder: boolean;
    readonly onListChanged: () => void;
    /** The transport has ended by itself. */
    readonly onLost: (session: Session) => void;
  },
): Promise<Session> {
  const sdk = await loadSdk();
  // It offers no model and no folder, and a person to ask if the application does.
  const client = new sdk.Client(
    // The protocol wants a version; no server has to go by it.
    { name: "toolwright", version: "0" },
    {
      capabilities: onElicitation === undefined ? {} : { elicitation: { form: {} } },
      versionNegotiation: { mode: "auto", probe: { timeoutMs: longestProbe } },
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: onListChanged } },
    },
  );
  const { transport } = open;
  const session: Session = { client, open, intake: new ListIntake(), inFlight: 0, calls: new Set() };
  if (onElicitation !== undefined) {
    // As revisions before 2026-07-28 ask: by a request of their own. The SDK refuses other modes than forms.
    client.setRequestHandler("elicitation/create", ({ params }) =>
      elicit(params as ElicitRequestFormParams, [...session.calls], onElicitation),
    );
  }
  // The SDK calls it with each message before it reads that itself.
  transport.onmessage = (message: JSONRPCMessage) => {
    session.intake.clean(message, sdk, client.getProtocolEra());
    readContent(message, sdk, client.getProtocolEra());
  };
  client.onclose = () => onLost(session);
  await client.connect(transport, isOlder ? { prior: { kind: "legacy" } } : {});
  if (client.transport === undefined) throw new Error(endedAtStart);
  return session;
}

/** Says goodbye to a server that keeps sessions, and ends one that is a process. */
export async function leave({ transport, forget }: OpenTransport): Promise<void> {
  const { terminateSession } = transport as Partial<StreamableHTTPClientTransport>;
  if (terminateSession !== undefined) {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise((resolve) => {
      timer = setTimeout(resolve, longestFarewell);
    });
    await Promise.race([terminateSession.call(transport).catch(() => undefined), patience]);
    clearTimeout(timer);
  }
  await transport.close().catch(() => undefined);
  forget();
}
