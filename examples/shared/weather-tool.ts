import { description, Integer, identifier, optional, required, Tool, timeout } from "toolwright";

/** The tool that the examples of other frameworks use: written once, the same in each. */
@identifier("weather")
@description("Gets the weather of the next days for a city. Use when the user asks about weather.")
@timeout(5_000)
export class WeatherTool extends Tool {
  @required(String, "The city name")
  city!: string;

  @optional(Integer, { description: "How many days", minimum: 1, maximum: 7, default: 1 })
  days!: number;

  call() {
    return `${this.city}: sunny for ${this.days} day${this.days === 1 ? "" : "s"}.`;
  }
}
