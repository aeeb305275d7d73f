import { Agent, model, usesTools } from "../../src/agent/index.js";
import { bearer, createHttpTool, HttpTool, http, secret } from "../../src/http/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { Integer } from "../../src/schema/index.js";
import { invokeTool } from "../../src/testing/index.js";
import {
  category,
  description,
  effect,
  input,
  optional,
  required,
  returns,
  type ToolClass,
  type ToolContext,
  ToolOutputValidationError,
  ToolTimeoutError,
  timeout,
} from "../../src/tool/index.js";
import { type Api, answerWith, startApi } from "./support.js";

let api: Api;

beforeAll(async () => {
  api = await startApi();
  process.env.ORDERS_TOKEN = "orders-4711-token";
});
beforeEach(() => {
  api.requests.splice(0);
  api.answer = answerWith({ data: { number: "A-7", lines: 2 } });
});
afterAll(() => api.close());

/** Method and URL of the requests, as the server saw them. */
const seen = (): string[] => api.requests.map(({ method, url }) => `${method} ${url}`);

/** The same place at a service that is only there when the tests run. */
const orders = (method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE", path = "/orders/{orderNumber}") => ({
  method,
  url: `${api.url}${path}`,
});

function getOrderTool(): ToolClass {
  @description("Gets one order by its number. Use when the user names an order.")
  @http({
    ...orders("GET"),
    query: ["expand"],
    headers: { authorization: bearer(secret("ORDERS_TOKEN")) },
    response: { pick: "data" },
  })
  class GetOrderTool extends HttpTool {
    @required(String, "The order's number, as printed on the invoice") orderNumber!: string;
    @optional({ enum: ["lines", "customer"] }) expand?: "lines" | "customer";
  }
  return GetOrderTool;
}

describe('seed 004, "HttpImplementation": a tool class without call', () => {
  it("sends its parameters, and gives what was picked from the answer", async () => {
    expect(await invokeTool(getOrderTool(), { orderNumber: "A-7", expand: "lines" })).toEqual({ number: "A-7", lines: 2 });
    expect(seen()).toEqual(["GET /orders/A-7?expand=lines"]);
    expect(api.requests[0]?.headers).toMatchObject({ authorization: "Bearer orders-4711-token", "user-agent": "toolwright" });
  });

  it("has a definition like any other", () => {
    expect(getOrderTool().definition).toMatchObject({
      name: "get_order_tool",
      category: "read",
      effect: "none",
      retryable: true,
      parametersSchema: {
        properties: { orderNumber: { type: "string" }, expand: { enum: ["lines", "customer"] } },
        required: ["orderNumber"],
        additionalProperties: false,
      },
    });
  });

  it("is called by agents", async () => {
    @model(new ScriptedModel([{ toolCalls: [{ name: "get_order_tool", arguments: { orderNumber: "A-7" } }] }, "It has 2 lines."]))
    @usesTools([getOrderTool()])
    class OrderAgent extends Agent {}

    const response = await new OrderAgent().generate("What is in A-7?");
    expect(response.text).toBe("It has 2 lines.");
    expect(response.messages.find(({ role }) => role === "tool")?.content).toBe('{"number":"A-7","lines":2}');
  });

  it.each(["GET", "DELETE"] as const)("sends what the path doesn't take in the query of %s", async (method) => {
    expect(await invokeTool(changeTool(method), { orderNumber: "A-7", note: "a&b=c", copies: 2 })).toBeDefined();
    expect(seen()).toEqual([`${method} /orders/A-7?note=a%26b%3Dc&copies=2`]);
    expect(api.requests[0]).toMatchObject({ body: "" });
    expect(api.requests[0]?.headers).not.toHaveProperty("content-type");
  });

  it.each(["POST", "PUT", "PATCH"] as const)("sends what the path doesn't take as the JSON body of %s", async (method) => {
    await invokeTool(changeTool(method), { orderNumber: "A-7", note: "ü", copies: 2 });
    expect(seen()).toEqual([`${method} /orders/A-7`]);
    expect(api.requests[0]).toMatchObject({ body: '{"note":"ü","copies":2}', headers: { "content-type": "application/json" } });
  });

  it("sends nothing of what is absent or null", async () => {
    await invokeTool(changeTool("POST"), { orderNumber: "A-7", note: null });
    await invokeTool(changeTool("GET"), { orderNumber: "A-7" });
    expect(api.requests.map(({ url, body }) => [url, body])).toEqual([
      ["/orders/A-7", "{}"],
      ["/orders/A-7", ""],
    ]);
  });

  it("sends no body where every parameter has another place", async () => {
    @description("Cancels an order. Use when asked to.")
    @http({ ...orders("POST", "/orders/{orderNumber}/cancellation"), query: ["reason"] })
    class CancelTool extends HttpTool {
      @required(String) orderNumber!: string;
      @optional(String) reason?: string;
    }
    await invokeTool(CancelTool, { orderNumber: "A-7", reason: "late" });
    expect(seen()).toEqual(["POST /orders/A-7/cancellation?reason=late"]);
    expect(api.requests[0]?.headers).not.toHaveProperty("content-type");
  });

  it("sends the named ones in the body, the rest in the query", async () => {
    @description("Deletes orders. Use when asked to.")
    @http({ ...orders("DELETE", "/orders?dry=false"), body: ["numbers"] })
    class DeleteTool extends HttpTool {
      @required([String]) numbers!: string[];
      @optional(Boolean) force?: boolean;
    }
    await invokeTool(DeleteTool, { numbers: ["A-7", "B-8"], force: true });
    expect(seen()).toEqual(["DELETE /orders?dry=false&force=true"]);
    expect(api.requests[0]?.body).toBe('{"numbers":["A-7","B-8"]}');
  });

  it("repeats the name for each item of a list in the query, and writes dates in ISO 8601", async () => {
    @description("Finds orders. Use when asked to.")
    @http(orders("GET", "/orders/{day}"))
    class FindTool extends HttpTool {
      @required(Date) day!: Date;
      @required([String]) state!: string[];
      @required(Date) since!: Date;
    }
    await invokeTool(FindTool, { day: "2026-01-02T00:00:00Z", state: ["open", "paid"], since: "2026-01-01T12:00:00Z" });
    expect(seen()).toEqual(["GET /orders/2026-01-02T00%3A00%3A00.000Z?state=open&state=paid&since=2026-01-01T12%3A00%3A00.000Z"]);
  });

  it("sends nested classes as JSON", async () => {
    class Line {
      @required(String) article!: string;
      @required(Date) due!: Date;
    }

    @description("Creates an order. Use when asked to.")
    @http(orders("POST", "/orders"))
    class CreateTool extends HttpTool {
      @required([Line]) lines!: Line[];
    }
    await invokeTool(CreateTool, { lines: [{ article: "rose", due: "2026-01-01T12:00:00Z" }] });
    expect(api.requests[0]?.body).toBe('{"lines":[{"article":"rose","due":"2026-01-01T12:00:00.000Z"}]}');
  });

  it("takes its parameters from a DTO", async () => {
    class OrderDto {
      @required(String) orderNumber!: string;
      @optional(Integer) copies?: number;
    }

    @description("Prints an order. Use when asked to.")
    @http(orders("POST"))
    class PrintTool extends HttpTool {
      @input(OrderDto) order!: OrderDto;
    }
    await invokeTool(PrintTool, { orderNumber: "A-7", copies: 3 });
    expect(api.requests[0]).toMatchObject({ url: "/orders/A-7", body: '{"copies":3}' });
  });

  it("asks for the root of a URL without a path", async () => {
    @description("Says whether the service is up. Use when asked.")
    @http({ method: "GET", url: `${api.url}?verbose=1` })
    class HealthTool extends HttpTool {}
    await invokeTool(HealthTool, {});
    expect(seen()).toEqual(["GET /?verbose=1"]);
  });

  it("returns Done with the status if the answer is empty", async () => {
    api.answer = (_, response) => void response.writeHead(204).end();
    expect(await invokeTool(changeTool("DELETE"), { orderNumber: "A-7" })).toBe("Done (204). The answer is empty.");
  });

  it("fails where the answer lacks what is picked", async () => {
    api.answer = answerWith({ order: {} });
    await expect(invokeTool(getOrderTool(), { orderNumber: "A-7" })).rejects.toThrow(
      'answered without "data", which should hold the tool\'s result',
    );
  });

  it("picks through lists, and nothing that is inherited", async () => {
    api.answer = answerWith({ orders: [{ number: "A-7" }] });
    const pick = (way: string) => {
      @description("Finds orders. Use when asked to.")
      @http({ ...orders("GET", "/orders"), response: { pick: way } })
      class FindTool extends HttpTool {}
      return invokeTool(FindTool, {});
    };
    expect(await pick("orders.0.number")).toBe("A-7");
    await expect(pick("orders.length.constructor")).rejects.toThrow("answered without");
    await expect(pick("constructor.name")).rejects.toThrow("answered without");
  });

  it("checks the answer against @returns", async () => {
    @description("Counts lines. Use when asked to.")
    @http({ ...orders("GET"), response: { pick: "data.lines" } })
    @returns(Integer)
    class CountTool extends HttpTool {
      @required(String) orderNumber!: string;
    }
    expect(await invokeTool(CountTool, { orderNumber: "A-7" })).toBe(2);
    api.answer = answerWith({ data: { lines: "two" } });
    await expect(invokeTool(CountTool, { orderNumber: "A-7" })).rejects.toThrow(ToolOutputValidationError);
  });

  it("ends at the tool's own timeout, however long it is", async () => {
    @description("Waits. Use when asked to.")
    @http(orders("GET", "/slow"))
    @timeout(1_000)
    class SlowTool extends HttpTool {}
    const closed = new Promise<void>((resolve) => {
      api.answer = (_, response) => void response.on("close", resolve);
    });
    await expect(invokeTool(SlowTool, {})).rejects.toThrow(ToolTimeoutError);
    await closed;
  });

  it("ends when the caller cancels", async () => {
    const controller = new AbortController();
    const closed = new Promise<void>((resolve) => {
      api.answer = (_, response) => {
        response.on("close", resolve);
        controller.abort();
      };
    });
    await expect(invokeTool(getOrderTool(), { orderNumber: "A-7" }, { abortSignal: controller.signal })).rejects.toThrow("cancelled");
    await closed;
  });

  it("may be a subclass that changes arguments and result", async () => {
    const GetOrderTool = getOrderTool() as unknown as new () => HttpTool & { orderNumber: string };

    class ShortOrderTool extends GetOrderTool {
      override async call(context: ToolContext) {
        this.orderNumber = `A-${this.orderNumber}`;
        const order = (await super.call(context)) as { lines: number };
        return `${order.lines} lines`;
      }
    }
    expect(await invokeTool(ShortOrderTool as unknown as ToolClass, { orderNumber: "7" })).toBe("2 lines");
    expect(seen()).toEqual(["GET /orders/A-7"]);
  });
});

function changeTool(method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"): ToolClass {
  @description("Changes an order. Use when asked to.")
  @http(orders(method))
  class ChangeTool extends HttpTool {
    @required(String) orderNumber!: string;
    @optional({ schema: { type: ["string", "null"] } }) note?: string | null;
    @optional(Integer) copies?: number;
  }
  return ChangeTool;
}

describe("the method of an HTTP tool", () => {
  it.each([
    ["GET", { category: "read", effect: "none", retryable: true }],
    ["PUT", { category: "write", effect: "idempotent", retryable: true }],
    ["DELETE", { category: "delete", effect: "idempotent", retryable: true }],
    ["POST", { category: "write", retryable: false }],
    ["PATCH", { category: "write", retryable: false }],
  ] as const)("%s gives category, effect and what may be repeated: %j", (method, policy) => {
    const { definition } = changeTool(method);
    expect(definition).toMatchObject(policy);
    expect("effect" in definition).toBe("effect" in policy);
  });

  it("gives way to what the author declares", () => {
    @description("Sends a reminder. Use when asked to.")
    @category("side_effect")
    @http(orders("GET", "/reminder"))
    class ReminderTool extends HttpTool {}
    expect(ReminderTool.definition).toMatchObject({ category: "side_effect", retryable: false });
    expect(ReminderTool.definition).not.toHaveProperty("effect");

    @description("Creates an order once. Use when asked to.")
    @http(orders("POST", "/orders"))
    @effect("idempotent")
    class CreateTool extends HttpTool {}
    expect(CreateTool.definition).toMatchObject({ category: "write", effect: "idempotent", retryable: true });
  });
});

describe("tools of one service", () => {
  it("share the base URL and the headers of a base class", async () => {
    @http({
      baseUrl: `${api.url}/v1/`,
      headers: { authorization: bearer(secret("ORDERS_TOKEN")), "x-tenant": "roses", accept: "text/csv" },
    })
    abstract class OrdersTool extends HttpTool {}

    @description("Gets an order. Use when asked to.")
    @http({ method: "GET", url: "/orders/{orderNumber}", headers: ({ userId }) => ({ "X-Tenant": userId, "x-user": userId }) })
    class GetTool extends OrdersTool {
      @required(String) orderNumber!: string;
    }
    await invokeTool(GetTool, { orderNumber: "A-7" }, { context: { userId: "ann" } });
    expect(seen()).toEqual(["GET /v1/orders/A-7"]);
    const { authorization, accept, "x-tenant": tenant, "x-user": user } = api.requests[0]?.headers ?? {};
    expect([authorization, accept, tenant, user]).toEqual(["Bearer orders-4711-token", "text/csv", "ann", "ann"]);
  });

  it("don't leak into their base or their siblings", async () => {
    @description("Gets an order. Use when asked to.")
    @http(orders("GET", "/base"))
    class BaseTool extends HttpTool {}

    @description("Gets another. Use when asked to.")
    @http({ url: `${api.url}/sub`, method: "DELETE" })
    class SubTool extends BaseTool {}
    await invokeTool(BaseTool, {});
    await invokeTool(SubTool, {});
    expect(seen()).toEqual(["GET /base", "DELETE /sub"]);
    expect([BaseTool.definition.category, SubTool.definition.category]).toEqual(["read", "delete"]);
  });
});

describe('seed 004, "HttpImplementation": createHttpTool', () => {
  it("makes an HTTP tool from schemas", async () => {
    const GetOrder = createHttpTool({
      name: "get_order",
      description: "Gets one order. Use when the user names an order.",
      inputSchema: {
        type: "object",
        properties: { orderNumber: { type: "string" }, page: { type: "integer" } },
        required: ["orderNumber"],
      },
      outputSchema: { type: "object", required: ["number"] },
      timeout: 5_000,
      ...orders("GET"),
      response: { pick: "data" },
    });
    expect(await invokeTool(GetOrder, { orderNumber: "A-7", page: 2 })).toEqual({ number: "A-7", lines: 2 });
    expect(seen()).toEqual(["GET /orders/A-7?page=2"]);
    expect(GetOrder.definition).toMatchObject({ category: "read", effect: "none", timeout: 5_000 });
    api.answer = answerWith({ data: {} });
    await expect(invokeTool(GetOrder, { orderNumber: "A-7" })).rejects.toThrow(ToolOutputValidationError);
  });

  it("gives answers as they are, whatever their shape means elsewhere", async () => {
    const Ask = createHttpTool({ name: "ask", description: "Asks.", inputSchema: { type: "object" }, ...orders("POST", "/ask") });
    api.answer = answerWith({ ok: true, value: 1 });
    expect(await invokeTool(Ask, {})).toEqual({ ok: true, value: 1 });
    expect(Ask.definition).toMatchObject({ category: "write", retryable: false });
  });
});
