import { Container } from "typedi";
import { description, Tool } from "../../src/tool/index.js";
import { ToolExecutor, useContainer } from "../../src/execution/index.js";

class StockService {
  readonly count = 3;
}

@description("Counts.")
class StockTool extends Tool {
  constructor(private readonly stock: StockService) {
    super();
  }

  call() {
    return this.stock.count;
  }
}

afterEach(() => useContainer(undefined));

it("the container of the process is that of another copy of the package too", async () => {
  Container.set(StockService, new StockService());
  jest.isolateModules(() => {
    const other = require("../../src/execution/index.js") as typeof import("../../src/execution/index.js");
    other.useContainer(Container);
  });
  expect(await new ToolExecutor({ tools: [StockTool] }).run(StockTool, {})).toBe(3);
});

it("a copy that removed its container has none", () => {
  useContainer(Container);
  useContainer(undefined);
  expect(() => new ToolExecutor({ tools: [StockTool] })).toThrow(/there is no container/);
});
