import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import type { AgentResponse, AgentStream } from "../../src/agent/index.js";
import { sendEventStream, sendUiMessageStream } from "../../src/web/index.js";
import { agentOf, callOf, closeServers, serve } from "./support.js";
import { until } from "../support/until.js";

afterAll(closeServers);

/** How the run ended whose stream is sent to a client that has left. */
async function sentTooLate(send: (stream: AgentStream, response: ServerResponse) => Promise<void>): Promise<AgentResponse> {
  const answered: Promise<AgentResponse>[] = [];
  const url = await serve(async (_request, response) => {
    await once(response, "close");
    const stream = agentOf([{ toolCalls: [callOf("wait")] }]).stream("Wait");
    await send(stream, response);
    answered.push(stream.response);
  });
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  await once(socket, "connect");
  socket.end("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n");
  setTimeout(() => socket.destroy(), 20);
  await until(() => answered.length > 0);
  return answered[0]!;
}

describe("a client that left before its stream began", () => {
  it.each([
    ["sendEventStream", sendEventStream],
    ["sendUiMessageStream", sendUiMessageStream],
  ])("has its run aborted: %s", async (_name, send) => {
    expect((await sentTooLate(send)).reason).toBe("aborted");
  });
});
