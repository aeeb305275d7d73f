import { ToolExecutor } from "../../src/execution/index.js";
import { description, identifier, required, access, Tool, ToolError, ToolNotFoundError } from "../../src/tool/index.js";
import { renamedTool } from "../../src/tool/internal.js";

@description("Doubles a number. Use when asked to double.")
class DoubleTool extends Tool {
  @required(Number) value!: number;

  call() {
    return { doubled: this.value * 2 };
  }
}

describe("run(Class, input)", () => {
  it("calls the tool of that class, and its data has the type that call gives", async () => {
    const { doubled } = await new ToolExecutor({ tools: [DoubleTool] }).run(DoubleTool, { value: 21 });
    expect(doubled.toFixed(1)).toBe("42.0");
  });

  it("calls it by the name that a registry gave it", async () => {
    const executor = new ToolExecutor({ tools: [renamedTool(DoubleTool, "math/double")] });
    expect(await executor.run(DoubleTool, { value: 1 })).toEqual({ doubled: 2 });
  });

  it("throws ToolNotFoundError for a class that isn't there, though another tool has its name", async () => {
    @description("Triples a number.")
    @identifier("double_tool")
    class OtherTool extends DoubleTool {}
    const error = await new ToolExecutor({ tools: [OtherTool] }).run(DoubleTool, { value: 1 }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ToolNotFoundError);
    expect(error).toMatchObject({
      toolName: "double_tool",
      message: expect.stringContaining("DoubleTool is none of this executor's tools. Add it: new ToolExecutor({ tools: [DoubleTool] })."),
    });
  });

  it("calls it only if @access is met", async () => {
    @access({ roles: ["admin"] })
    class SecretTool extends DoubleTool {}
    const executor = new ToolExecutor({ tools: [SecretTool] });
    await expect(executor.run(SecretTool, { value: 1 })).rejects.toBeInstanceOf(ToolError);
    expect(await executor.run(SecretTool, { value: 1 }, { toolContext: { roles: ["admin"] } })).toEqual({ doubled: 2 });
  });
});
