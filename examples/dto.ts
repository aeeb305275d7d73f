/** A DTO with class-validator's rules, reused unchanged: its fields are the tool's parameters, every rule is enforced. */
import { Type } from "class-transformer";
import { ArrayMinSize, IsEmail, IsInt, IsOptional, IsString, Max, Min, ValidateNested } from "class-validator";
import { description, input, Tool, ToolInputValidationError } from "toolwright";
import { invokeTool } from "toolwright/testing";

class OrderLine {
  @IsString() product!: string;
  @IsInt() @Min(1) @Max(99) quantity!: number;
}

class CreateOrderDto {
  @IsEmail() customer!: string;
  @ArrayMinSize(1) @ValidateNested({ each: true }) @Type(() => OrderLine) lines!: OrderLine[];
  @IsOptional() @IsString() note?: string;
}

@description("Creates an order. Use when the user has decided what to buy.")
class CreateOrderTool extends Tool {
  @input(CreateOrderDto)
  order!: CreateOrderDto;

  call() {
    return { customer: this.order.customer, items: this.order.lines.reduce((sum, line) => sum + line.quantity, 0) };
  }
}

console.log(JSON.stringify(CreateOrderTool.parametersSchema, undefined, 2));
console.log(await invokeTool(CreateOrderTool, { customer: "ada@example.com", lines: [{ product: "lamp", quantity: 2 }] }));
try {
  await invokeTool(CreateOrderTool, { customer: "nobody", lines: [{ product: "lamp", quantity: 0 }] });
} catch (error) {
  if (!(error instanceof ToolInputValidationError)) throw error;
  console.log(error.message);
}
