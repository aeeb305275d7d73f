import { existsSync, readFileSync } from "node:fs";
import { ToolExecutor } from "../../../src/execution/index.js";
import { McpError, type McpToolbox } from "../../../src/mcp/index.js";
import { invokeTool } from "../../../src/testing/index.js";
import { endAll, hostile, hostileUrl, newFile, open, tool } from "./support.js";

afterEach(endAll);

const say = (box: McpToolbox) => invokeTool(tool(box, "echo"), { text: "hello" });

describe("a server that ends during a call", () => {
  it("fails that call, which isn't repeated, and is started again by the next one", async () => {
    const box = await open(hostile("calls"));
    await expect(invokeTool(tool(box, "die"))).rejects.toThrow(
      'The MCP server "box" ended during the call, which may have taken effect. Check before you call it again; the next call starts the server.',
    );
    await expect(say(box)).resolves.toBe("hello");
  });

  it("fails all calls that were on their way", async () => {
    const box = await open(hostile("calls"));
    const pending = [invokeTool(tool(box, "hang")), invokeTool(tool(box, "die"))];
    const outcomes = await Promise.allSettled(pending);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });

  it("is left alone for a while if it fails repeatedly, and callers get an error with the number of failures", async () => {
    const box = await open(hostile("dying", newFile()));
    await expect(invokeTool(tool(box, "die"))).rejects.toThrow("ended during the call");
    await expect(say(box)).rejects.toThrow(/The MCP server "box" (can't be started|ended before it answered)/);
    await expect(say(box)).rejects.toThrow(
      'The MCP server "box" has failed 2 times in a row, and is tried again in 1 s at the earliest. Do without it, or tell the user.',
    );
  });

  it("is the end of its answer over HTTP too, though only the stream of that answer ends", async () => {
    const box = await open({ url: await hostileUrl("cut") });
    await expect(say(box)).rejects.toThrow("ended during the call");
  });
});

describe("an answer of eleven megabytes", () => {
  it("over a pipe ends the connection, and no more", async () => {
    const box = await open(hostile("calls"));
    await expect(invokeTool(tool(box, "too_large"))).rejects.toThrow("A message of the server is larger than 5242880 bytes.");
    await expect(say(box)).resolves.toBe("hello");
  });

  it("over HTTP isn't read to its end", async () => {
    const box = await open({ url: await hostileUrl("calls") });
    await expect(invokeTool(tool(box, "too_large"))).rejects.toThrow("A message of the server is larger than 5242880 bytes.");
    await expect(say(box)).resolves.toBe("hello");
  });

  it("in a stream of events isn't either", async () => {
    const box = await open({ url: await hostileUrl("flood") });
    await expect(say(box)).rejects.toThrow("ended during the call");
  });
});

describe("a server over HTTP", () => {
  it("gets the headers with each request, from a function the newest", async () => {
    const file = newFile();
    let asked = 0;
    const headers = () => {
      asked += 1;
      return Promise.resolve({ authorization: "Bearer the-right-token" });
    };
    const box = await open({ url: await hostileUrl("guarded", file), headers });
    await expect(say(box)).resolves.toBe("hello");
    const requests = readFileSync(file, "utf8").trim().split("\n");
    expect(requests.every((line) => line.endsWith(" Bearer the-right-token"))).toBe(true);
    expect(asked).toBe(requests.length);
  });

  it("that refuses them says so when it is met", async () => {
    const url = await hostileUrl("guarded");
    await expect(open({ url })).rejects.toThrow(
      'The MCP server "box" refused the request (401): its credentials are missing, expired or not enough. ' +
        'Give mcpToolbox a token that it takes: headers: { authorization: "Bearer ..." }, or a function that gives such headers. ' +
        'It doesn\'t log in by itself. It wrote: Bearer resource_metadata="https://login.example/.well-known/oauth-protected-resource"',
    );
  });

  it("that wants more of them says which scope when it is met", async () => {
    const headers = { authorization: "Bearer the-narrow-token" };
    await expect(open({ url: await hostileUrl("narrow"), headers })).rejects.toThrow(
      'The MCP server "box" refused the request (403): its credentials are not enough. Insufficient scope: required "files:write". Give',
    );
  });

  it.each([
    ["sse", "405"],
    ["page", "Unexpected content type: text/html"],
  ])("that doesn't speak as its revisions since 2025 do is distinguished from one that is down (%s)", async (scenario, reason) => {
    const url = await hostileUrl(scenario);
    await expect(open({ url })).rejects.toThrow(
      `The MCP server "box" isn't found at ${new URL(url).origin}: what answers there doesn't speak MCP over "Streamable HTTP" (${reason}). ` +
        "Correct the path of the url that mcpToolbox is given: often it is /mcp. A server that offers HTTP with SSE alone, often at /sse, can't be used.",
    );
  });

  it("that refuses them later fails the call, and the error names the reason", async () => {
    let token = "the-right-token";
    const box = await open({ url: await hostileUrl("guarded"), headers: () => ({ authorization: `Bearer ${token}` }) });
    token = "the-expired-one";
    await expect(say(box)).rejects.toThrow(
      'The MCP server "box" refused the request (401): its credentials are missing, expired or not enough. Tell the user; trying again doesn\'t help.',
    );
  });

  it("that sends elsewhere doesn't get the headers there: no redirect to another origin is followed", async () => {
    const file = newFile();
    const server = { url: await hostileUrl("redirect", file), headers: { authorization: "Bearer the-right-token" } };
    await expect(open(server)).rejects.toThrow(/Redirect to http:\/\/localhost:\d+\/other not followed|status 307/);
    expect(readFileSync(file, "utf8")).not.toContain("/other");
  });

  it.each(["retry 0", "retry 99999999999"])(
    "that ends its stream at once isn't asked for it again in less than a second (%s)",
    async (scenario) => {
      const file = newFile();
      await open({ url: await hostileUrl(scenario, file) });
      const gets = () => readFileSync(file, "utf8").match(/^GET /gm)?.length ?? 0;
      while (gets() === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect(gets()).toBe(1);
    },
  );

  it("that has forgotten the session gets a new one, and the call once more", async () => {
    const file = newFile();
    const box = await open({ url: await hostileUrl("forgetful", file) });
    await expect(say(box)).resolves.toBe("hello");
  });

  it.each([
    ["picky", "that keeps no sessions"],
    ["keeping", "that keeps sessions, and may have meant the session"],
  ])("(%s) %s and refuses one call by 400 fails no other, and is never left alone for it", async (scenario) => {
    const box = await open({ url: await hostileUrl(scenario) });
    const slow = invokeTool(tool(box, "slow"));
    for (let calls = 0; calls < 5; calls += 1) {
      await expect(invokeTool(tool(box, "bad"))).rejects.toThrow('The MCP server "box" answered with status 400');
    }
    await expect(slow).resolves.toBe("slow is done");
    await expect(say(box)).resolves.toBe("hello");
  });

  it("ends what is in flight when it is closed, also over a session that was given up", async () => {
    const box = await open({ url: await hostileUrl("keeping") });
    const slow = expect(invokeTool(tool(box, "slow"))).rejects.toThrow("ended during the call");
    await expect(invokeTool(tool(box, "bad"))).rejects.toThrow("400");
    await box.close();
    await slow;
  });

  it("that can't be reached any more fails calls and says so", async () => {
    const box = await open({ url: await hostileUrl("calls") });
    await expect(invokeTool(tool(box, "die"))).rejects.toThrow("ended during the call, which may have taken effect");
    await expect(say(box)).rejects.toThrow(/The MCP server "box" can't be reached \(ECONN\w+\)\. Try again later, or tell the user\./);
  });
});

describe("a toolbox that was closed", () => {
  it("calls nothing any more", async () => {
    const box = await open(hostile("plain"));
    const echo = tool(box, "echo");
    await box.close();
    await expect(new ToolExecutor({ tools: [echo] }).run("box_echo", { text: "hello" })).rejects.toThrow(
      'The application has closed its connection to the MCP server "box".',
    );
  });

  it("may be closed again, and while it calls", async () => {
    const file = newFile();
    const box = await open(hostile("calls", file));
    const outcome = expect(invokeTool(tool(box, "hang"))).rejects.toThrow("ended during the call");
    while (!existsSync(`${file}.called`)) await new Promise((resolve) => setTimeout(resolve, 5));
    await box.close();
    await box.close();
    await outcome;
  });
});

describe("mcpToolbox", () => {
  it("throws an error with the output of a server that doesn't start", async () => {
    await expect(open(hostile("stillborn"))).rejects.toThrow(/The MCP server "box" .* It wrote: The configuration file is missing\./);
  });

  it("throws an McpError if the program of a server doesn't exist", async () => {
    const opening = open({ command: "no-such-program" });
    await expect(opening).rejects.toThrow(/The MCP server "box" can't be started: .*ENOENT/);
    await expect(opening).rejects.toBeInstanceOf(McpError);
  });

  it("throws an error if nothing answers at a URL, without its path, which may hold a key", async () => {
    await expect(open({ url: "http://127.0.0.1:9/mcp?key=s3cret" })).rejects.toThrow(
      'The MCP server "box" can\'t be reached at http://127.0.0.1:9 (bad port). Start it, or correct the url that mcpToolbox is given.',
    );
  });
});
