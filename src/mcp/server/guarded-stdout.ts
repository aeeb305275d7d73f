import { Writable } from "node:stream";

/**
 * Takes standard output for the protocol alone: what else the process writes there, `console.log` of a tool first of all, goes to
 * standard error until `release` is called. What a child process or native code writes to it is out of reach.
 */
export function takeStdout(): { readonly stream: Writable; readonly release: () => void } {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => void write(chunk, done),
  });
  // The writer above handles a client that is gone, and one that reads no log doesn't matter; without a listener, Node ends the
  // process for it.
  const ignore = (): void => undefined;
  stdout.on("error", ignore);
  stderr.on("error", ignore);
  stdout.write = stderr.write.bind(stderr);
  return {
    stream,
    release: () => {
      stdout.write = write;
      stdout.off("error", ignore);
      stderr.off("error", ignore);
    },
  };
}
