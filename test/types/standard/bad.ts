// Each line below a marker is refused with one error that has the marker's words; no other line errs.
import { description, input, optional, required, Tool, type ToolContext, tool } from "../../../src/tool/index.js";

export class Untyped {
  // error: "bare: give its type, e.g. @required(String) (standard decorators see no types)"
  @required() bare!: string;
  // error: "literal: list the allowed values with enum"
  @required() literal!: "a" | "b";
  // error: "described: give its type, e.g. @required(String) (standard decorators see no types)"
  @required("The city") described!: string;
  // error: "options: give its type, e.g. @optional(String) (standard decorators see no types)"
  @optional({ description: "The city" }) options?: string;
}

export class Places {
  // error: "#hidden is private: decorate a public instance field"
  @required(String) #hidden = "";
  // error: "#input is private: decorate a public instance field"
  @input(Untyped) #input = new Untyped();

  read(): unknown[] {
    return [this.#hidden, this.#input];
  }

  // error: Decorators are not valid here
  call(@required("city", String) _city: string): void {}
}

// error: "call gets the context alone: make its other parameters fields, e.g. @required(String) city!: string"
@description("Tells the weather.")
export class Undecorated extends Tool {
  call(city: string) {
    return `Sunny in ${city}`;
  }
}

// error: "call gets the context alone: make its other parameters fields, e.g. @required(String) city!: string"
@tool({ description: "Tells the weather." })
export class Several extends Tool {
  call(context: ToolContext, days?: number) {
    return [context.runId, days];
  }
}

// error: "call gets the context, which has none of these members: make them fields, e.g. @required(String) city!: string
@description("Tells the weather.")
export class Destructured extends Tool {
  call({ city }: { city: string }) {
    return `Sunny in ${city}`;
  }
}

// error: "call gets the context, which has none of these members: make them fields, e.g. @required(String) city!: string
@tool({ description: "Tells the weather." })
export class DestructuredOptions extends Tool {
  @required(String) city!: string;

  call({ units }: { units: string }, _context?: ToolContext) {
    return [this.city, units];
  }
}

// error: "call gets the context, which has none of these members: make them fields, e.g. @required(String) city!: string
@description("Tells the weather.")
export class OfClass extends Tool {
  call(place: Untyped) {
    return place.bare;
  }
}
