import http from "node:http";
import https from "node:https";
import { GuardedClient } from "../../src/net/index.ts";

// As msw and nock do: they replace the members of the modules.
const asked = [];
http.request = (url) => {
  asked.push(url.href);
  throw new Error("mocked");
};
https.request = http.request;

const client = new GuardedClient();
for (const url of ["http://93.184.215.14/", "https://93.184.215.14/"]) await client.fetch(url).catch(() => undefined);
await client.fetch("http://127.0.0.1/").catch(({ message }) => asked.push(message));
process.stdout.write(JSON.stringify(asked));
