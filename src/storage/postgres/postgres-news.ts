import { randomUuid, sha256 } from "../../platform/index.js";
import { makeClient, type PostgresListener } from "./postgres-pool.js";

/** Milliseconds for which messages are collected: a notification costs the database a lock. */
const pause = 20;

/** Milliseconds before a lost connection is made again. */
const reconnectPause = 1_000;

/** Bytes of a notification that Postgres takes: https://www.postgresql.org/docs/current/sql-notify.html. */
const longestPayload = 7_999;

/**
 * Short messages between processes by LISTEN and NOTIFY, on one connection, which is made when it is first used. A message that is too long
 * for a notification arrives without its content. Messages that are sent while the database is away are lost.
 */
export class PostgresNews {
  readonly #connectionString: string;
  readonly #schema: string;
  /** Marks what this process sent. */
  readonly #sender = randomUuid();
  readonly #receivers = new Map<string, Set<(message: unknown) => void>>();
  #unsent: { readonly channel: string; readonly message: unknown }[] = [];
  #client: Promise<PostgresListener> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** `schema`: keeps the messages of several installations in one database apart. */
  constructor(connectionString: string, schema: string) {
    this.#connectionString = connectionString;
    this.#schema = schema;
  }

  /** Sends the message to the other processes that subscribe to the topic. `message` is JSON. */
  publish(topic: string, message: unknown): void {
    if (this.#isClosed) return;
    this.#unsent.push({ channel: this.#channelOf(topic), message });
    this.#timer ??= setTimeout(() => void this.#send(), pause).unref();
  }

  /** Calls `receive` with each message of other processes. Returns the end of it. */
  subscribe(topic: string, receive: (message: unknown) => void): () => void {
    const channel = this.#channelOf(topic);
    const receivers = this.#receivers.get(channel) ?? new Set();
    if (receivers.size === 0) void this.#query(`LISTEN "${channel}"`);
    this.#receivers.set(channel, receivers.add(receive));
    return () => {
      receivers.delete(receive);
      if (receivers.size > 0 || this.#receivers.get(channel) !== receivers) return;
      this.#receivers.delete(channel);
      if (!this.#isClosed) void this.#query(`UNLISTEN "${channel}"`);
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#send();
    const client = await this.#client?.catch(() => undefined);
    await client?.end().catch(() => undefined);
  }

  #channelOf(topic: string): string {
    return `toolwright_${sha256(`${this.#schema}\n${topic}`).slice(0, 40)}`;
  }

  async #send(): Promise<void> {
    this.#timer = undefined;
    const unsent = this.#unsent;
    this.#unsent = [];
    if (unsent.length === 0) return;
    const channels = new Map<string, unknown[]>();
    for (const { channel, message } of unsent) channels.set(channel, [...(channels.get(channel) ?? []), message]);
    const payloads = [...channels].flatMap(([channel, messages]) =>
      payloadsOf(this.#sender, messages).map((payload) => [channel, payload] as const),
    );
    await this.#query(
      "SELECT pg_notify(channel, payload) FROM unnest($1::text[], $2::text[]) AS news (channel, payload)",
      payloads.map(([channel]) => channel),
      payloads.map(([, payload]) => payload),
    );
  }

  /** Nothing depends on news: without them, readers look into the storage from time to time. */
  async #query(text: string, ...values: readonly unknown[]): Promise<void> {
    try {
      const client = await this.#open();
      await client.query(text, values);
    } catch {
      // The connection's error makes a new one.
    }
  }

  #open(): Promise<PostgresListener> {
    this.#client ??= this.#connect();
    return this.#client;
  }

  async #connect(): Promise<PostgresListener> {
    const client = await makeClient(this.#connectionString);
    let isLost = false;
    const lost = (): void => {
      if (isLost) return;
      isLost = true;
      this.#client = undefined;
      if (!this.#isClosed && this.#receivers.size > 0) setTimeout(() => void this.#open().catch(() => undefined), reconnectPause).unref();
    };
    client.on("error", lost);
    client.on("end", lost);
    client.on("notification", ({ channel, payload }) => this.#receive(channel, payload));
    try {
      await client.connect();
      for (const channel of this.#receivers.keys()) await client.query(`LISTEN "${channel}"`);
    } catch (error) {
      lost();
      await client.end().catch(() => undefined);
      throw error;
    }
    return client;
  }

  #receive(channel: string, payload: string | undefined): void {
    const { sender, messages } = readPayload(payload);
    if (sender === this.#sender) return;
    for (const message of messages ?? []) for (const receive of this.#receivers.get(channel) ?? []) receive(message);
  }
}

interface Payload {
  readonly sender?: string;
  readonly messages?: readonly unknown[];
}

/** Empty if the notification isn't ours: anyone may notify in a database. */
function readPayload(payload = ""): Payload {
  try {
    return JSON.parse(payload) as Payload;
  } catch {
    return {};
  }
}

/** As few notifications as hold the messages. */
function payloadsOf(sender: string, messages: readonly unknown[]): readonly string[] {
  const payloads: string[] = [];
  let texts: string[] = [];
  let bytes = 0;
  const close = (): void => {
    if (texts.length > 0) payloads.push(`{"sender":${JSON.stringify(sender)},"messages":[${texts.join(",")}]}`);
    texts = [];
    bytes = 0;
  };
  for (const message of messages) {
    const full = JSON.stringify(message);
    const text = Buffer.byteLength(full) > longestMessage ? "null" : full;
    if (bytes + Buffer.byteLength(text) > longestMessage) close();
    texts.push(text);
    bytes += Buffer.byteLength(text) + 1;
  }
  close();
  return payloads;
}

/** Room is left for the frame. */
const longestMessage = longestPayload - 100;
