/**
 * A chat in a Nest application: the tool has a service of the module, the guard says who asks, and each request has an agent, and so
 * a conversation, of its own. It listens, is asked by two users, prints the answers and ends.
 */
import "reflect-metadata";
import { Body, type CanActivate, Controller, type ExecutionContext, Injectable, Module, Post, Req, UseGuards } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import type { Request } from "express";
import { Agent, description, identifier, model, required, Tool, type ToolContext, usesTools } from "toolwright";
// biome-ignore lint/style/useImportType: the compiler emits what constructors take
import { AgentFactory, ToolwrightModule } from "toolwright/nest";

/** What the guard puts on a request. */
interface SignedRequest extends Request {
  userId: string;
}

@Injectable()
class OrderService {
  private readonly orders = new Map([["A-17", { of: "ada", status: "shipped" }]]);

  statusOf(order: string, userId: string | undefined): string {
    const found = this.orders.get(order);
    return found !== undefined && found.of === userId ? found.status : "unknown";
  }
}

@identifier("order_status")
@description("Gets the status of an order. Use when the user asks where an order is.")
class OrderStatusTool extends Tool {
  @required(String, "The order number, as printed on the invoice")
  order!: string;

  constructor(private readonly service: OrderService) {
    super();
  }

  call({ userId }: ToolContext) {
    return `Order ${this.order} is ${this.service.statusOf(this.order, userId)}.`;
  }
}

@model("embedded/keyword")
@usesTools([OrderStatusTool])
class SupportAgent extends Agent {}

@Injectable()
class SessionGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<SignedRequest>();
    // Where an application would read a session.
    request.userId = request.header("x-user") ?? "";
    return request.userId !== "";
  }
}

@Controller("chat")
@UseGuards(SessionGuard)
class ChatController {
  constructor(private readonly agents: AgentFactory) {}

  @Post()
  async chat(@Body("prompt") prompt: string, @Req() request: SignedRequest) {
    const agent = await this.agents.create(SupportAgent, request);
    const { text } = await agent.generate(prompt);
    return { text, messages: agent.messages.length };
  }
}

@Module({
  imports: [ToolwrightModule.forFeature({ tools: [OrderStatusTool], agents: [SupportAgent] })],
  providers: [OrderService],
  controllers: [ChatController],
})
class SupportModule {}

@Module({ imports: [ToolwrightModule.forRoot({ toolContext: ({ userId }: SignedRequest) => ({ userId }) }), SupportModule] })
class ApplicationModule {}

const application = await NestFactory.create(ApplicationModule, { logger: ["warn", "error"] });
await application.listen(0, "127.0.0.1");

for (const user of ["ada", "bob"]) {
  const response = await fetch(`${await application.getUrl()}/chat`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-user": user },
    body: JSON.stringify({ prompt: 'What is the status of order "A-17"?' }),
  });
  console.log(`${user}: ${await response.text()}`);
}
await application.close();
