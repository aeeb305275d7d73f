/**
 * A tool that gets its service by injection: typedi builds both, because the container was named once.
 * Run it: `npm run example injection`
 */
import { Agent, description, instructions, model, required, Tool, useContainer, usesTools } from "toolwright";
import { Container, Service } from "typedi";

@Service()
class Stations {
  private readonly readings = new Map([["Paris", 21]]);

  temperature(city: string): number | undefined {
    return this.readings.get(city);
  }
}

@description("Gets the temperature in a city. Use when the user asks how warm it is.")
class TemperatureTool extends Tool {
  @required(String, "The city name")
  city!: string;

  constructor(private readonly stations: Stations) {
    super();
  }

  call() {
    return { city: this.city, celsius: this.stations.temperature(this.city) };
  }
}

@model("embedded/keyword")
@instructions("You tell people how warm it is.")
@usesTools([TemperatureTool])
class WeatherAgent extends Agent {}

useContainer(Container);

const response = await new WeatherAgent().generate("What is the temperature in Paris?");
console.log(response.outcome.reason, response.text);
