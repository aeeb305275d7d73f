import { createRegistry, createWorkspace } from "../../../src/registry/index.js";
import { description, identifier, Tool, type ToolClass } from "../../../src/tool/index.js";
import { type Example, errorOf, warningOf } from "./example.js";
import { RefundTool } from "./subjects.js";

@description("Sums numbers. Use when a sum is asked for.")
@identifier("calculator")
class SumTool extends Tool {
  call() {}
}

@description("Refunds an order of the shop. Use when the money is wanted back.")
@identifier("shop/refund")
class ShopRefundTool extends Tool {
  call() {}
}

const workspace = (...namespaces: readonly string[]) => {
  const builder = createWorkspace();
  for (const namespace of namespaces) builder.toolbox(namespace).addTool(RefundTool);
  return builder.build();
};

const add = (tool: ToolClass) => createWorkspace().toolbox("billing").addTool(tool);

/** What who makes a registry, or asks it for a tool, meets. */
export const nameRefused: Example = () => errorOf(() => add(ShopRefundTool));
export const nameShared: Example = () => errorOf(() => createRegistry({ project: workspace("billing", "shop") }).tool("refund"));
export const denied: Example = () => {
  const executor = createRegistry({ project: workspace("billing") }).executor({ allowedTools: ["calculator"] });
  return errorOf(() => executor.run("refund", { order: "A-17" }));
};
export const replaced: Example = () => warningOf(() => createRegistry({ project: createWorkspace().addTool(SumTool).build() }));
