import { HttpTool, http } from "../../src/http/index.js";
import { description, identifier, required, ToolExecutionError } from "../../src/tool/index.js";
import { rejection } from "../execution/support.js";
import { type Api, answerWith, startApi } from "../http/support.js";
import { registryOf } from "./support.js";

let api: Api;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

describe('seed 004, "HttpImplementation"', () => {
  const run = () => {
    @identifier("order")
    @description("Gets an order by its number. Use when the user names one.")
    @http({ method: "GET", url: `${api.url}/orders/{number}` })
    class OrderTool extends HttpTool {
      @required(String, "The order's number") number!: string;
    }
    return registryOf({ shop: [OrderTool] })
      .executor({ allowedTools: ["shop/*"] })
      .run("shop/order", { number: "A-7" });
  };

  it("is dispatched to by its full name", async () => {
    api.answer = answerWith({ lines: 2 });
    expect(await run()).toEqual({ lines: 2 });
    expect(api.requests.at(-1)).toMatchObject({ method: "GET", url: "/orders/A-7" });
  });

  it("fails as ToolExecutionError, as every tool does", async () => {
    api.answer = answerWith({ message: "no such order" }, { status: 404 });
    const error = await rejection(run());
    expect(error).toBeInstanceOf(ToolExecutionError);
    expect(error.message).toContain("Error during execution of tool 'shop/order'");
  });
});
