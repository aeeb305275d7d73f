import "reflect-metadata";
import { Type } from "class-transformer";
import { ArrayMinSize, IsArray, IsString, ValidateNested } from "class-validator";
import { description, input, required, Tool, type ToolClass } from "../../src/tool/index.js";
import { invokeTool } from "../../src/testing/index.js";

class Line {}
IsString()(Line.prototype, "article");

/** Called as a function; their own types check classes that are written out. */
type Decorate = (prototype: never, key: never) => unknown;

/** A tool with the field `lines`, as compilers leave it that emit no types. */
function toolWith(...decorators: readonly Decorate[]) {
  class OrderTool extends Tool {
    declare lines: unknown;
    call() {
      return Array.isArray(this.lines) ? this.lines.map((line) => line instanceof Line) : "one";
    }
  }
  description("Creates an order. Use when the user orders.")(OrderTool);
  for (const decorate of decorators) decorate(OrderTool.prototype as never, "lines" as never);
  return OrderTool as unknown as ToolClass;
}

/** The same with a DTO. */
function toolOfDto(...decorators: readonly Decorate[]) {
  class Order {
    declare lines: unknown;
  }
  for (const decorate of decorators) decorate(Order.prototype as never, "lines" as never);
  class OrderTool extends Tool {
    declare order: Order;
    call() {
      return Array.isArray(this.order.lines) ? this.order.lines.map((line) => line instanceof Line) : "one";
    }
  }
  description("Creates an order. Use when the user orders.")(OrderTool);
  input(Order)(OrderTool.prototype, "order");
  return OrderTool as unknown as ToolClass;
}

const ofLine = Type(() => Line);
const lines = [{ article: "tea" }];

describe("a field with @Type whose type the compiler doesn't emit", () => {
  it.each([
    ["@ValidateNested({ each: true })", () => toolWith(required(), ofLine, ValidateNested({ each: true }))],
    ["@IsArray()", () => toolWith(required(), ofLine, IsArray())],
    ["@ArrayMinSize(1)", () => toolWith(required(), ofLine, ArrayMinSize(1))],
    ["the option minItems", () => toolWith(required({ minItems: 1 }), ofLine)],
    ["@ValidateNested({ each: true }), in a DTO", () => toolOfDto(ofLine, ValidateNested({ each: true }))],
    ["@IsArray(), in a DTO", () => toolOfDto(ofLine, IsArray())],
  ])("is a list by %s", async (_, toolOf) => {
    expect(await invokeTool(toolOf(), { lines } as never)).toEqual([true]);
  });

  it("is one object by @ValidateNested()", async () => {
    expect(await invokeTool(toolWith(required(), ofLine, ValidateNested()), { lines: lines[0] } as never)).toBe("one");
    expect(await invokeTool(toolOfDto(ofLine, ValidateNested()), { lines: lines[0] } as never)).toBe("one");
  });

  it("is rejected if nothing says whether it is a list", () => {
    expect(() => toolWith(required(), ofLine).definition).toThrow(
      "OrderTool.lines: @Type(() => Line) is the same for one value and for a list, and the compiler emitted no type that says which it is. " +
        "Write it: @required([Line]) lines for a list, @required(Line) lines for one.",
    );
    expect(() => toolOfDto(ofLine).definition).toThrow(
      "Order.lines: @Type(() => Line) is the same for one value and for a list, and the compiler emitted no type that says which it is. " +
        "Add a rule: @ValidateNested({ each: true }) lines for a list, @ValidateNested() lines for one.",
    );
  });
});
