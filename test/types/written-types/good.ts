import { optional, required, Tool } from "../../../src/tool/index.js";
import "./plug-in.js";

class Address {
  @required() city!: string;
}

export class MoveTool extends Tool {
  @required("Where to") address!: Address;
  @required() tags!: string[];
  @required({ maxLength: 9 }) note!: string | null;
  @optional({ default: "low" }) level!: "low" | "high";

  call() {
    return this.address.city;
  }
}
