/** A tool whose service comes from a container. typedi here; anything with get(class) does. */
import { Agent, description, model, required, Tool, useContainer, usesTools } from "toolwright";
import { Container, Service } from "typedi";

@Service()
class OrderService {
  private readonly orders = new Map([["A-17", "shipped"]]);

  statusOf(order: string): string | undefined {
    return this.orders.get(order);
  }
}

@description("Gets the status of an order. Use when the user asks where an order is.")
class OrderStatusTool extends Tool {
  @required(String, "The order number, as printed on the invoice")
  order!: string;

  // The compiler emits this type (emitDecoratorMetadata); the container finds the service by it.
  constructor(private readonly service: OrderService) {
    super();
  }

  call() {
    return `Order ${this.order} is ${this.service.statusOf(this.order) ?? "unknown"}.`;
  }
}

useContainer(Container);

@model("embedded/keyword")
@usesTools([OrderStatusTool])
class SupportAgent extends Agent {}

const { text } = await SupportAgent.generate('What is the status of order "A-17"?');
console.log(text);
