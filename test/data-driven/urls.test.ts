import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { fillUrl, GuardedClient, NetworkError } from "../../src/net/index.js";
import { type LocalServer, outcomeOf, recordConnections, serve } from "../net/support.js";
import { describeData, readJson } from "../support/data.js";

interface ServerInput {
  readonly redirect?: readonly string[];
  readonly body?: string | readonly number[];
  readonly decoded?: number;
  readonly everyMs?: number;
  readonly contentType?: string;
}

interface UrlItem {
  readonly kind?: string;
  readonly input: unknown;
  readonly expect: string;
  readonly why: string;
}

/** The words of the items: `deny:<code>` where the guard refuses, `error:<code>` where the exchange fails. */
const failures = ["dns", "timeout", "header"];
const inItemsWords = (code: string): string => (code === "allow" ? code : `${failures.includes(code) ? "error" : "deny"}:${code}`);

describeData(["hostile/urls.json"], (path) => {
  const items = readJson<UrlItem[]>(path);
  const ofKind = (kind: string | undefined): [string, UrlItem][] =>
    items.filter((item) => item.kind === kind).map((item) => [`${item.why}: ${JSON.stringify(item.input).slice(0, 100)}`, item]);

  describe("a URL is judged by its text alone", () => {
    // A URL may break several rules, and the items propose one code: that it is refused is what matters.
    it.each(ofKind(undefined))("%s", async (_, { input, expect: expected }) => {
      const connections = recordConnections();
      try {
        const resolve = async () => ["93.184.216.34"];
        const error: unknown = await new GuardedClient({ resolve }).fetch(String(input)).catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(NetworkError);
        const allowed = (error as NetworkError).code === "connection";
        expect(allowed ? "allow" : "deny").toBe(expected.split(":")[0]);
        expect(connections.addresses).toHaveLength(allowed ? 1 : 0);
      } finally {
        connections.restore();
      }
    });
  });

  describe("a name is resolved once for each connection, and judged by all its addresses", () => {
    it.each(ofKind("dns"))("%s", async (_, { input, expect: expected }) => {
      const { name, dns } = input as { name: string; dns: readonly (readonly string[])[] };
      const answers = dns.map((answer) => [...answer]);
      const resolve = async () => answers.shift() ?? [];
      const connections = recordConnections();
      try {
        const client = new GuardedClient({ resolve });
        let outcome = "";
        for (const _ of dns) outcome = await outcomeOf(client.fetch(`http://${name}/`));
        expect(inItemsWords(outcome === "connection" ? "allow" : outcome)).toBe(expected);
        expect(answers).toEqual([]);
        // Whatever was connected to is an address that the guard had just been given.
        expect(dns.flat()).toEqual(expect.arrayContaining(connections.addresses));
        if (expected.startsWith("deny")) expect(connections.addresses).not.toEqual(expect.arrayContaining(dns.at(-1) as string[]));
      } finally {
        connections.restore();
      }
    });
  });

  describe("an answer is limited", () => {
    let server: LocalServer;
    let input: ServerInput = {};
    let requests = 0;
    beforeAll(async () => {
      server = await serve((_, response) => answer(input, requests++, response));
    });
    afterAll(() => server.close());

    it.each([...ofKind("server"), ...ofKind("server-note")])(
      "%s",
      async (_, item) => {
        input = item.input as ServerInput;
        requests = 0;
        const client = new GuardedClient({ allowedHosts: ["127.0.0.1"] });
        const fetched = client.fetch(server.url, { timeout: item.expect === "error:timeout" ? 300 : 10_000 });
        if (item.expect.startsWith("text:")) expect((await fetched).text()).toBe(item.expect.slice("text:".length));
        else expect(inItemsWords(await outcomeOf(fetched))).toBe(item.expect);
        // To pack the bomb takes a second by itself.
      },
      30_000,
    );
  });

  describe("a header", () => {
    it.each(ofKind("header"))("%s", async (_, { input, expect: expected }) => {
      const { header } = input as { header: Record<string, string> };
      const connections = recordConnections();
      try {
        expect(inItemsWords(await outcomeOf(new GuardedClient().fetch("http://93.184.216.34/", { headers: header })))).toBe(expected);
        expect(connections.addresses).toEqual([]);
      } finally {
        connections.restore();
      }
    });
  });

  describe("a URL with placeholders", () => {
    it.each(ofKind("template"))("%s", (_, { input, expect: expected }) => {
      const { template, args } = input as { template: string; args: Record<string, unknown> };
      if (expected.startsWith("deny:")) expect(() => fillUrl(template, args)).toThrow(NetworkError);
      else expect(new URL(fillUrl(template, args)).href).toBe(expected);
    });
  });
});

function answer({ redirect, body, contentType, decoded, everyMs }: ServerInput, earlier: number, response: ServerResponse): void {
  if (redirect !== undefined) {
    const location = redirect[earlier];
    if (location === undefined) response.writeHead(200, { "content-type": "text/plain" }).end("arrived");
    else response.writeHead(302, { location }).end();
    return;
  }
  if (contentType !== "") response.setHeader("content-type", contentType ?? "text/plain");
  if (body === "gzip") {
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(decoded ?? 0)));
  } else if (body === "endless") {
    const timer = setInterval(() => response.write("x"), everyMs ?? 50);
    response.on("close", () => clearInterval(timer));
  } else if (body === "text") {
    response.end("text");
  } else if (Array.isArray(body)) {
    response.end(Buffer.from(body));
  } else {
    response.writeHead(200, { "content-encoding": String(body) }).end("packed");
  }
}
