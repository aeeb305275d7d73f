import { threadId } from "node:worker_threads";

/** A service with a connection of its own in each thread or process. */
export class Greeting {
  constructor(private readonly connection: string) {}

  text(): string {
    return `Hello from ${this.connection}`;
  }
}

let made = 0;

// biome-ignore lint/style/noDefaultExport: that is the form of a set-up module
export default async function setUp() {
  const greeting = new Greeting(`${process.pid}/${threadId}/${++made}`);
  return { get: (type: new (greeting: Greeting) => unknown) => new type(greeting) };
}
