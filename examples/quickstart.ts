/**
 * A conversation with an agent, with no key and no network: the embedded keyword model is no language model, it picks a
 * tool by words and fills the arguments by type. With a provider's key set, the same agent talks to that provider:
 * npm start -- --model openai/gpt-5-mini
 */
import { parseArgs } from "node:util";
import {
  Agent,
  type AgentResponse,
  description,
  Integer,
  identifier,
  instructions,
  model,
  optional,
  required,
  Tool,
  timeout,
  usesTools,
} from "toolwright";

declare module "toolwright" {
  interface ToolContext {
    user?: { name: string; isAdmin: boolean };
  }
}

const units = ["celsius", "fahrenheit"] as const;

@identifier("get_weather")
@description("Gets the current weather for a city. Use when the user asks about weather now.")
class WeatherTool extends Tool {
  @required(String, "The city name")
  city!: string;

  @optional({ description: "The temperature units", enum: units, default: "celsius" })
  units!: (typeof units)[number];

  call() {
    const celsius = 14 + (this.city.length % 9);
    const degrees = this.units === "celsius" ? celsius : Math.round(celsius * 1.8 + 32);
    return `It is ${degrees} degrees ${this.units} and sunny in ${this.city}.`;
  }
}

class Party {
  @required(Integer, { description: "The number of people", minimum: 1, maximum: 8 })
  people!: number;

  @required(String, "The name of the guest")
  name!: string;
}

@identifier("book_table")
@description("Books a table at the restaurant. Use when the user wants to book or reserve a table.")
class BookTableTool extends Tool {
  @required(Party, "Who comes")
  party!: Party;

  call() {
    return `A table for ${this.party.people} is booked under the name ${this.party.name}.`;
  }
}

@identifier("order_breakfast")
@description("Orders breakfast to a room. Use when the user wants breakfast.")
class OrderBreakfastTool extends Tool {
  @required(String, { description: "The room number", pattern: "^[1-9][0-9]{2}$" })
  room!: string;

  call() {
    return `Breakfast is on its way to room ${this.room}.`;
  }
}

@identifier("revenue_report")
@description("Makes the revenue report. Use when an administrator asks for revenue.")
@timeout(200)
class RevenueReportTool extends Tool {
  async call() {
    await new Promise((resolve) => setTimeout(resolve, 2_000).unref());
    return "Revenue: 42";
  }
}

@identifier("list_users")
@description("Lists the users of the shop. Use when an administrator asks who the users are.")
class ListUsersTool extends Tool {
  call() {
    return "The users are Ada and Grace.";
  }
}

const { values } = parseArgs({ options: { model: { type: "string", default: "embedded/keyword" } } });

@model(values.model)
@instructions("You help the guests of a hotel. Use the tools; say so when none fits.")
@usesTools(({ user }) => [WeatherTool, BookTableTool, OrderBreakfastTool, ...(user?.isAdmin ? [ListUsersTool, RevenueReportTool] : [])])
class HotelAgent extends Agent {}

const guest = { name: "Guest", isAdmin: false };
const admin = { name: "Admin", isAdmin: true };

title("A tool is found and called, with arguments from the sentence");
await ask(guest, "What is the weather in Paris in fahrenheit?");

title("A nested parameter arrives as an object of its class");
await ask(guest, 'Book a table for 4 people under the name "Ada"');

title("The same question: the resolver gives a guest and an admin different tools");
await ask(guest, "Who are the users?");
await ask(admin, "Who are the users?");

title("A wrong argument never reaches the tool: the model reads what is wrong with it");
await ask(guest, "Order breakfast to room 12");

title("A tool that overruns its timeout");
await ask(admin, "Make the revenue report");

async function ask(user: { name: string; isAdmin: boolean }, prompt: string): Promise<void> {
  console.log(`${user.name}: ${prompt}`);
  show(await HotelAgent.generate(prompt, { toolContext: { user } }));
}

function show(response: AgentResponse): void {
  for (const call of response.steps.flatMap((step) => step.toolCalls)) {
    console.log(`   calls ${call.name} ${call.arguments}`);
    console.log(`   ${call.errorType === undefined ? "gets" : "fails:"} ${call.content}`);
  }
  console.log(`Agent: ${response.text ?? `(${response.outcome.reason}: ${response.outcome.detail})`}`);
}

function title(text: string): void {
  console.log(`\n-- ${text}`);
}
