import { redactText } from "../../redaction/index.js";
import { hiderOf } from "../../redaction/internal.js";
import { endWithProcess } from "./end-with-process.js";
import { tooLarge } from "./limit-body.js";
import { loadSdk, loadStdioSdk } from "./load-sdk.js";
import type { McpServerCommand } from "./mcp-server-address.js";
import { MessageLines } from "./message-lines.js";
import type { OpenTransport } from "./open-transport.js";

/** The maximum length of the server's stderr that is kept for the error in characters, if it doesn't start. */
const longestTail = 2_000;

/** More is kept until then, because a secret that is cut in two isn't recognised. */
const longestKept = 4 * longestTail;

/** The transport to a server that is a process of its own; the SDK starts it with few variables of this process. */
export async function stdioTransport({ command, args, env, cwd }: McpServerCommand): Promise<OpenTransport> {
  const { StdioClientTransport } = await loadStdioSdk();
  const transport = new StdioClientTransport({
    command,
    args: [...(args ?? [])],
    ...(env !== undefined && { env: { ...env } }),
    ...(cwd !== undefined && { cwd }),
    stderr: "pipe",
  });
  // The SDK gives no way to read a message before it does, and this field is private.
  const lines = new MessageLines(await loadSdk());
  Object.assign(transport, { _readBuffer: lines });
  const send = transport.send.bind(transport);
  transport.send = (message) => {
    lines.sent(message);
    // After a cancellation, a broken answer may be known to be that of another request.
    const broken = lines.hasBroken ? lines.readMessage() : null;
    if (broken !== null) transport.onmessage?.(broken);
    return send(message);
  };
  // A server that doesn't start may write out what it was started with, whatever it is called there.
  const hide = hiderOf(Object.values(env ?? {}));
  let tail = "";
  transport.stderr?.on("data", (chunk: Buffer) => {
    tail = (tail + chunk.toString()).slice(-longestKept);
  });
  let failure: Error | undefined;
  transport.onerror = (error) => {
    if (error.message === tooLarge().message) failure = error;
  };
  const started = [endWithProcess(transport)];
  // The SDK first starts the server once more to ask for its revision, and makes that transport with this constructor.
  Object.assign(transport, {
    constructor: class extends StdioClientTransport {
      constructor(...given: ConstructorParameters<typeof StdioClientTransport>) {
        super(...given);
        started.push(endWithProcess(this));
      }
    },
  });
  const forget = (): void => {
    for (const forgetOne of started.splice(0)) forgetOne();
  };
  return { transport, lastWords: () => redactText(hide(tail)).slice(-longestTail).trim(), failure: () => failure, forget };
}
