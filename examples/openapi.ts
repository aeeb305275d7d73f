/**
 * Tools out of an OpenAPI document: `openapi.yaml` describes a service, which this process plays too. What can't become a
 * tool is reported with its reason.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Agent, instructions, model, usesTools } from "toolwright";
import { openApiToolbox, secret } from "toolwright/http";

const service = createServer(({ method, url, headers }, response) => {
  console.log(
    `(the service is asked: ${method} ${url}, ${headers.authorization === "Bearer orders-4711-token" ? "signed in" : "not signed in"})`,
  );
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ number: "A-17", state: "shipped", lines: ["1 lamp", "2 chairs"] }));
});
await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));

process.env.ORDERS_TOKEN = "orders-4711-token";
const orders = openApiToolbox(new URL("openapi.yaml", import.meta.url), {
  baseUrl: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
  auth: { token: secret("ORDERS_TOKEN") },
});
for (const { identifier, definition } of orders.tools) console.log(`${identifier}: ${definition.description}`);
for (const { operation, reason } of orders.refused) console.log(`refused: ${operation}: ${reason}`);

@model("embedded/keyword")
@instructions("You answer questions about orders.")
@usesTools(orders)
class OrderAgent extends Agent {}

const { text } = await OrderAgent.generate('Please get the order with the number "A-17".');
console.log(text);
service.close();
