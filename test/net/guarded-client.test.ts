import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { createServer as createTcpServer } from "node:net";
import { gzipSync } from "node:zlib";
import { GuardedClient, type GuardedRequest, NetworkError } from "../../src/net/index.js";
import { type LocalServer, outcomeOf, recordConnections, serve, wouldConnect } from "./support.js";

const client = new GuardedClient({ allowedHosts: ["127.0.0.1"] });
let answer: RequestListener;
let server: LocalServer;
let other: LocalServer;

beforeAll(async () => {
  server = await serve((request, response) => answer(request, response));
  other = await serve((request, response) => answer(request, response));
});
afterAll(() => Promise.all([server.close(), other.close()]));

const text = (response: ServerResponse, body: string | Buffer, headers: Record<string, string> = {}): void =>
  void response.writeHead(200, { "content-type": "text/plain", ...headers }).end(body);

const messageOf = async (exchange: Promise<unknown>): Promise<string> => {
  const error: unknown = await exchange.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(NetworkError);
  return (error as NetworkError).message;
};

/** Keeps the requests that the servers got, and redirects the first of each `/start`. */
function redirecting(to: string, status = 302): IncomingMessage[] {
  const requests: IncomingMessage[] = [];
  answer = (request, response) => {
    requests.push(request);
    if (request.url?.startsWith("/start")) response.writeHead(status, { location: to }).end();
    else text(response, "arrived");
  };
  return requests;
}

describe("a guarded request", () => {
  it("gives status, headers, type and text of an answer", async () => {
    answer = (_, response) => text(response, "hello", { "content-type": "text/html; charset=utf-8", "x-a": "1" });
    const response = await client.fetch(`${server.url}/page?x=1`);
    expect([response.status, response.ok, response.contentType, response.text()]).toEqual([200, true, "text/html", "hello"]);
    expect([response.url, response.headers["x-a"]]).toEqual([`${server.url}/page?x=1`, "1"]);
  });

  it("sends method, headers and body", async () => {
    answer = async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      text(response, `${request.method} ${request.headers["x-a"]} ${request.headers["content-length"]} ${Buffer.concat(chunks)}`);
    };
    const response = await client.fetch(server.url, { method: "POST", headers: { "X-A": "1" }, body: "käse" });
    expect(response.text()).toBe("POST 1 5 käse");
  });

  it("keeps the host's name for the server, whatever address was connected to", async () => {
    answer = (request, response) => text(response, String(request.headers.host));
    const named = new GuardedClient({ allowedHosts: ["service.test"], resolve: async () => ["127.0.0.1"] });
    expect((await named.fetch(`http://service.test:${server.port}/`)).text()).toBe(`service.test:${server.port}`);
    expect((await named.fetch(`http://service.test.:${server.port}/`)).text()).toBe(`service.test:${server.port}`);
  });

  it("gives answers of every status", async () => {
    answer = (_, response) => void response.writeHead(404, { "content-type": "text/plain" }).end("no such page");
    const response = await client.fetch(server.url);
    expect([response.status, response.ok, response.text()]).toEqual([404, false, "no such page"]);
  });

  it("returns the status of a failure even if its body is of another type", async () => {
    answer = (_, response) => void response.writeHead(503, { "content-type": "image/png", "retry-after": "7" }).end("png");
    const response = await client.fetch(server.url);
    expect([response.status, response.text(), response.headers["retry-after"]]).toEqual([503, "", "7"]);
  });

  it("takes nothing at all for empty, though it is said to be packed", async () => {
    answer = (_, response) => void response.writeHead(200, { "content-type": "text/plain", "content-encoding": "gzip" }).end();
    expect((await client.fetch(server.url)).text()).toBe("");
  });

  it("takes a redirect that leads nowhere by its status", async () => {
    answer = (_, response) => void response.writeHead(302, { location: "", "content-type": "text/plain" }).end("moved");
    const response = await client.fetch(server.url);
    expect([response.status, response.text()]).toEqual([302, "moved"]);
  });

  it.each([204, 205, 304])("takes a %d, which has neither body nor type", async (status) => {
    answer = (_, response) => void response.writeHead(status).end();
    expect((await client.fetch(server.url)).status).toBe(status);
  });

  it("takes the answer to HEAD by its headers", async () => {
    answer = (_, response) => void response.writeHead(200, { "content-type": "image/png", "content-length": "123" }).end();
    const response = await client.fetch(server.url, { method: "HEAD" });
    expect([response.status, response.headers["content-length"], response.body.length]).toEqual([200, "123", 0]);
  });

  it("uses a connection again, and makes a new one if the server closed it meanwhile", async () => {
    const ports = new Set<number | undefined>();
    answer = (request, response) => {
      ports.add(request.socket.remotePort);
      text(response, "x");
      // Closed without a word, as servers do whose patience is over.
      if (request.url === "/close") response.on("finish", () => setImmediate(() => request.socket.destroy()));
    };
    for (const path of ["/", "/", "/close", "/", "/"]) expect((await client.fetch(server.url + path)).text()).toBe("x");
    expect(ports.size).toBeLessThanOrEqual(3);
  });
});

describe("a host", () => {
  it.each(["127.0.0.1", "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "0", "[::1]", "[::ffff:7f00:1]", "localhost", "a.localhost"])(
    "of the own machine is refused, written %s",
    async (host) => {
      let reached = false;
      answer = (_, response) => {
        reached = true;
        text(response, "secret");
      };
      expect(["address", "name"]).toContain(await outcomeOf(new GuardedClient().fetch(`http://${host}:${server.port}/`)));
      expect(reached).toBe(false);
    },
  );

  it("is allowed by name, on every port of the web's or on one", async () => {
    answer = (_, response) => text(response, "x");
    for (const allowed of ["127.0.0.1", `127.0.0.1:${server.port}`]) {
      expect(await outcomeOf(new GuardedClient({ allowedHosts: [allowed] }).fetch(server.url))).toBe("allow");
    }
    expect(await outcomeOf(new GuardedClient({ allowedHosts: [`127.0.0.1:${server.port}`] }).fetch(other.url))).toBe("address");
    expect(await outcomeOf(new GuardedClient({ allowedHosts: ["127.0.0.1"] }).fetch("http://127.0.0.1:22/"))).toBe("port");
  });

  it("that is allowed says nothing of another name with the same address", async () => {
    const named = new GuardedClient({ allowedHosts: ["one.test"], resolve: async () => ["127.0.0.1"] });
    answer = (_, response) => text(response, "x");
    expect(await outcomeOf(named.fetch(`http://one.test:${server.port}/`))).toBe("allow");
    expect(await outcomeOf(named.fetch(`http://two.test:${server.port}/`))).toBe("address");
  });

  it("that is allowed may still not lead to the addresses at which clouds give out credentials", async () => {
    const named = new GuardedClient({ allowedHosts: ["intranet.test", "169.254.169.254"], resolve: async () => ["169.254.169.254"] });
    expect(await outcomeOf(named.fetch("http://intranet.test/"))).toBe("address");
    expect(await outcomeOf(named.fetch("http://169.254.169.254/"))).toBe("address");
  });

  it.each(["", "http://localhost", "local host", "a/b", "user@host", "host:port", "[::1"])(
    "is not %j: the constructor throws a TypeError",
    (entry) => {
      expect(() => new GuardedClient({ allowedHosts: [entry] })).toThrow(TypeError);
    },
  );

  it("that doesn't exist, or can't be looked up now, fails the request with advice", async () => {
    const failing = (code: string) => new GuardedClient({ resolve: () => Promise.reject(Object.assign(new Error(code), { code })) });
    expect(await messageOf(failing("ENOTFOUND").fetch("http://nowhere.test/"))).toBe(
      'There is no host named "nowhere.test". Check how the name is written, or find the address by a search.',
    );
    expect(await messageOf(failing("EAI_AGAIN").fetch("http://nowhere.test/"))).toContain("Try again later");
    expect(await outcomeOf(new GuardedClient({ resolve: async () => [] }).fetch("http://nowhere.test/"))).toBe("dns");
  });

  it("whose resolver answers nonsense is not connected to", async () => {
    const connections = recordConnections();
    const nonsense = new GuardedClient({ resolve: async () => ["not an address"] });
    expect(await outcomeOf(nonsense.fetch("http://nowhere.test/"))).toBe("connection");
    expect(connections.addresses).toEqual([]);
    connections.restore();
  });

  it("is connected to at the address that was checked", async () => {
    const connections = recordConnections();
    let asked = 0;
    const guarded = new GuardedClient({ resolve: async () => [++asked === 1 ? "93.184.216.34" : "127.0.0.1"] });
    expect(await messageOf(guarded.fetch("https://example.com/"))).toContain(wouldConnect);
    expect([asked, connections.addresses]).toEqual([1, ["93.184.216.34"]]);
    connections.restore();
  });
});

describe("a redirect", () => {
  it("is followed, also a relative one, and the response has the final URL", async () => {
    redirecting("/ärrived?x=1#part");
    const response = await client.fetch(`${server.url}/start`);
    expect([response.text(), response.url]).toEqual(["arrived", `${server.url}/%C3%A4rrived?x=1#part`]);
  });

  it.each([
    ["file:///etc/passwd", "scheme"],
    ["http://169.254.169.254/latest/meta-data/", "address"],
    ["http://10.0.0.1/", "address"],
    ["//[::1]/", "address"],
    ["http://localhost/", "name"],
    ["http://user:pass@example.com/", "credentials"],
    ["http://example.com:25/", "port"],
    ["http://", "invalid"],
  ])("to %s is refused: %s", async (location, code) => {
    redirecting(location);
    expect(await outcomeOf(client.fetch(`${server.url}/start`))).toBe(code);
  });

  it("in a circle ends", async () => {
    const requests = redirecting("/start");
    expect(await messageOf(client.fetch(`${server.url}/start`))).toContain("redirected more than 10 times, perhaps in a circle");
    expect(requests).toHaveLength(11);
  });

  it("isn't followed if none is allowed", async () => {
    const requests = redirecting("/end");
    expect(await outcomeOf(client.fetch(`${server.url}/start`, { maxRedirects: 0 }))).toBe("redirects");
    expect(requests).toHaveLength(1);
  });

  const secrets = {
    authorization: "Bearer t",
    cookie: "a=b",
    "proxy-authorization": "Basic x",
    "x-api-key": "k",
    "X-Subscription-Token": "s",
  };

  it("to another origin takes no header along that may hold a secret", async () => {
    const requests = redirecting(`${other.url}/end`);
    await client.fetch(`${server.url}/start`, { headers: { ...secrets, "accept-language": "de" } });
    expect(requests[0]?.headers).toMatchObject({ authorization: "Bearer t", "x-api-key": "k" });
    expect(Object.keys(requests[1]?.headers ?? {}).sort()).toEqual([
      ...["accept", "accept-encoding", "accept-language", "connection", "host", "user-agent"],
    ]);
  });

  it("within an origin keeps the headers", async () => {
    const requests = redirecting("/end");
    await client.fetch(`${server.url}/start`, { headers: secrets });
    expect(requests[1]?.headers).toMatchObject({ authorization: "Bearer t", "x-api-key": "k", "x-subscription-token": "s" });
  });

  it("back to the first origin doesn't bring the secrets back", async () => {
    const requests: IncomingMessage[] = [];
    answer = (request, response) => {
      requests.push(request);
      const location = { "/start": `${other.url}/middle`, "/middle": `${server.url}/end` }[String(request.url)];
      if (location === undefined) text(response, "arrived");
      else response.writeHead(302, { location }).end();
    };
    await client.fetch(`${server.url}/start`, { headers: secrets });
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer t", undefined, undefined]);
  });

  /** A request that was sent to `/start`, as it came where it was redirected to. */
  async function arrivedAt(
    to: string,
    status: number,
    sent: GuardedRequest,
  ): Promise<{ method: unknown; headers: string[]; body: string }> {
    const arrived = { method: undefined as unknown, headers: [] as string[], body: "" };
    answer = (request, response) => {
      if (request.url === "/start") return void response.writeHead(status, { location: to }).end();
      request.on("data", (chunk: Buffer) => {
        arrived.body += chunk.toString();
      });
      request.on("end", () => text(response, "arrived"));
      Object.assign(arrived, { method: request.method, headers: Object.keys(request.headers).sort() });
    };
    await client.fetch(`${server.url}/start`, sent);
    return arrived;
  }

  const form = {
    body: "{}",
    headers: {
      ...secrets,
      "content-type": "application/json",
      "content-encoding": "identity",
      "content-language": "de",
      "content-location": "/x",
    },
  };
  const ownHeaders = ["accept", "accept-encoding", "connection", "host", "user-agent"];
  const secretNames = Object.keys(secrets).map((name) => name.toLowerCase());

  it.each([301, 302, 303])("by %d after a POST asks without its body, and without what is said of it", async (status) => {
    const arrived = await arrivedAt("/end", status, { method: "POST", ...form });
    expect(arrived).toEqual({ method: "GET", headers: [...ownHeaders, ...secretNames].sort(), body: "" });
  });

  it.each([301, 302, 303])("by %d after a POST to another origin takes no credentials along either", async (status) => {
    const arrived = await arrivedAt(`${other.url}/end`, status, { method: "POST", ...form });
    expect(arrived).toEqual({ method: "GET", headers: ownHeaders, body: "" });
  });

  it.each([
    ["GET", 303, "PUT"],
    ["GET", 303, "DELETE"],
    ["HEAD", 303, "HEAD"],
    ["PUT", 301, "PUT"],
    ["PATCH", 302, "PATCH"],
  ] as const)("is followed by %s, as the web does, where %d answers %s", async (followed, status, method) => {
    expect(await arrivedAt("/end", status, { method })).toMatchObject({ method: followed, body: "" });
  });

  it.each([
    [307, "POST"],
    [308, "POST"],
    [307, "PUT"],
    [308, "PATCH"],
  ] as const)("by %d sends a %s again with its body to the same origin, and to no other", async (status, method) => {
    const sent = { method, body: '{"name":"Zoë"}', headers: { "content-type": "application/json" } };
    expect(await arrivedAt("/end", status, sent)).toEqual({
      method,
      headers: [...ownHeaders, "content-length", "content-type"].sort(),
      body: sent.body,
    });
    expect(await outcomeOf(arrivedAt(`${other.url}/end`, status, sent))).toBe("redirects");
  });
});

describe("a limit", () => {
  it("on bytes holds for what was said, for what comes, and for what it unpacks to", async () => {
    const big = Buffer.alloc(100_000, "x");
    for (const respond of [
      (response: ServerResponse) => text(response, big, { "content-length": "100000" }),
      (response: ServerResponse) => text(response, big),
      (response: ServerResponse) => text(response, gzipSync(big), { "content-encoding": "gzip" }),
    ]) {
      answer = (_, response) => respond(response);
      expect(await outcomeOf(client.fetch(server.url, { maxBytes: 100_000 }))).toBe("allow");
      expect(await messageOf(client.fetch(server.url, { maxBytes: 99_999 }))).toContain("is larger than 99999 bytes");
    }
  });

  it("on bytes holds for gzip that never unpacks to anything", async () => {
    const empty = gzipSync("");
    answer = (_, response) => {
      response.writeHead(200, { "content-type": "text/plain", "content-encoding": "gzip" });
      const timer = setInterval(() => response.write(Buffer.concat(new Array(1_000).fill(empty))), 1);
      response.on("close", () => clearInterval(timer));
    };
    expect(await outcomeOf(client.fetch(server.url, { maxBytes: 100_000 }))).toBe("too_large");
  });

  it("on time holds for a server that says nothing, and ends the connection", async () => {
    let closed: Promise<void> | undefined;
    answer = (request) => {
      closed = new Promise((resolve) => request.socket.on("close", () => resolve()));
    };
    expect(await messageOf(client.fetch(server.url, { timeout: 50 }))).toBe(
      `${server.url} didn't answer in full within 50 ms. Try again later.`,
    );
    await closed;
  });

  it("on time holds for a name that is never resolved", async () => {
    const waiting = new GuardedClient({ resolve: () => new Promise(() => undefined) });
    expect(await outcomeOf(waiting.fetch("http://nowhere.test/", { timeout: 50 }))).toBe("timeout");
  });

  it("on time holds for redirects together", async () => {
    answer = (_, response) => void setTimeout(() => response.writeHead(302, { location: "/" }).end(), 30);
    expect(await outcomeOf(client.fetch(server.url, { timeout: 100 }))).toBe("timeout");
  });

  it("on types names what came and what can be read", async () => {
    answer = (_, response) => text(response, "x", { "content-type": "Image/PNG; a=b" });
    expect(await messageOf(client.fetch(server.url, { contentTypes: ["text/html", "application/*+json"] }))).toBe(
      `${server.url} answered with image/png, but only text/html, application/*+json can be read.`,
    );
    expect(await outcomeOf(client.fetch(server.url, { contentTypes: ["*/*"] }))).toBe("allow");
  });

  it.each(["deflate", "br", "zstd", "gzip, gzip"])("on packings refuses %s, which wasn't asked for", async (encoding) => {
    answer = (_, response) => text(response, "x", { "content-encoding": encoding });
    expect(await outcomeOf(client.fetch(server.url))).toBe("content_encoding");
  });
});

describe("cancelling", () => {
  it("ends a request with the caller's reason, before it begins or amid it", async () => {
    const reason = new Error("the user left");
    await expect(client.fetch(server.url, { abortSignal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    answer = (_, response) => {
      response.writeHead(200, { "content-type": "text/plain" }).write("half");
      setTimeout(() => controller.abort(reason), 10);
    };
    await expect(client.fetch(server.url, { abortSignal: controller.signal })).rejects.toBe(reason);
  });
});

describe("an answer that is broken", () => {
  it("off in its body is an error, not half a text", async () => {
    answer = (_, response) => {
      response.writeHead(200, { "content-type": "text/plain", "content-length": "100" }).write("half");
      setTimeout(() => response.destroy(), 10);
    };
    expect(await messageOf(client.fetch(server.url))).toBe(`The connection to ${server.url} broke off amid its answer. Try again.`);
  });

  it("in its gzip is an error", async () => {
    const packed = gzipSync("x".repeat(1_000));
    for (const body of [packed.subarray(0, packed.length - 9), Buffer.from("no gzip")]) {
      answer = (_, response) => text(response, body, { "content-encoding": "gzip" });
      expect(await outcomeOf(client.fetch(server.url))).toBe("body");
    }
  });

  it("in its JSON is an error", async () => {
    answer = (_, response) => text(response, '{"a": [1,', { "content-type": "application/json" });
    const response = await client.fetch(server.url);
    expect(() => response.json()).toThrow(`${server.url} answered with JSON that is broken or cut off.`);
  });

  it("in its protocol is an error", async () => {
    const tcp = createTcpServer((socket) => socket.end("SSH-2.0-OpenSSH\r\n"));
    await new Promise<void>((resolve) => tcp.listen(0, "127.0.0.1", resolve));
    const { port } = tcp.address() as { port: number };
    const message = await messageOf(client.fetch(`http://127.0.0.1:${port}/?key=hunter22`));
    expect(message).toContain("can't be reached");
    expect(message).not.toContain("hunter22");
    tcp.close();
  });

  it.each<[string, string]>([
    ["switches to another protocol", "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"],
    ["says nothing", ""],
    ["has headers without end", `HTTP/1.1 200 OK\r\nx-a: ${"y".repeat(100_000)}\r\n\r\n`],
    ["says two lengths", "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nhi!"],
    ["is of HTTP/2", "HTTP/2 200\r\n\r\n"],
    ["is of HTTP/0.9", "<html>"],
  ])("because it %s is an error at once", async (_, bytes) => {
    const tcp = createTcpServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => socket.end(bytes));
    });
    await new Promise<void>((resolve) => tcp.listen(0, "127.0.0.1", resolve));
    const { port } = tcp.address() as { port: number };
    expect(await outcomeOf(client.fetch(`http://127.0.0.1:${port}/`))).toBe("connection");
    tcp.close();
  });

  it("because no server listens is an error that says so", async () => {
    const gone = await serve(() => undefined);
    await gone.close();
    expect(await messageOf(client.fetch(gone.url))).toBe(
      `${gone.url} can't be reached: no server listens there. Check the URL, or try again later.`,
    );
  });
});

describe("an error", () => {
  it("contains no path, query, credentials or headers", async () => {
    answer = (_, response) => text(response, "x", { "content-type": "image/png" });
    const headers = { authorization: "Bearer s3cret" };
    const failing = [
      client.fetch(`${server.url}/s3cret?key=s3cret#s3cret`, { headers }),
      client.fetch("http://user:s3cret@example.com/s3cret"),
      client.fetch("http://10.0.0.1/s3cret?key=s3cret", { headers }),
      client.fetch("http://example.com:22/s3cret", { headers }),
      client.fetch("s3cret\n"),
      client.fetch("http:///?s3cret"),
      client.fetch(server.url, { headers: { "x-a": "s3cret\r\n" } }),
      client.fetch(server.url, { headers: { host: "s3cret" } }),
    ];
    for (const error of await Promise.all(failing.map((exchange) => exchange.catch((reason: unknown) => reason)))) {
      expect(error).toBeInstanceOf(NetworkError);
      expect(JSON.stringify([String(error), Object.entries(error as object)])).not.toContain("s3cret");
    }
  });

  it("says how an application allows what was refused", async () => {
    expect(await messageOf(client.fetch("http://10.0.0.1:8080/"))).toBe(
      "http://10.0.0.1:8080 isn't fetched: it leads to a private address. " +
        'Use a public URL; an application that means this host allows it: allowedHosts: ["10.0.0.1"].',
    );
    expect(await messageOf(client.fetch("http://example.com:6379/"))).toContain('allowedHosts: ["example.com:6379"]');
  });
});
