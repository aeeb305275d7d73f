// The standard dialect sees no types: each one is written, or follows from enum or default.
import { description, optional, required, Tool, type ToolContext, tool } from "../../../src/tool/index.js";

export class Written {
  @required(String) text!: string;
  @required({ enum: ["a", "b"] }) letters!: "a" | "b";
  @optional({ default: 10 }) limit!: number;
  @required({ schema: { type: "string" } }) raw!: string;
}

@description("Gets nothing.")
export class WithoutContext extends Tool {
  call() {}
}

@description("Gets the context.")
export class WithContext extends Tool {
  call({ runId }: ToolContext) {
    return runId;
  }
}

@tool({ description: "Says what it wants of the context." })
export class WithPart extends Tool {
  call(context?: { readonly userId?: string; readonly tenant: string }) {
    return context?.tenant;
  }
}

@tool({ description: "Takes anything." })
export class WithAnything extends Tool {
  call(...all: any[]): unknown {
    return all;
  }
}

@tool({ description: "Reads what the application put into the context." })
export class WithBag extends Tool {
  call({ tenant }: ToolContext & { readonly tenant: string }) {
    return tenant;
  }
}

@tool({ description: "Reads anything of the context." })
export class WithRecord extends Tool {
  call(context: Record<string, unknown>) {
    return context.tenant;
  }
}

@tool({ description: "Reads nothing that is known." })
export class WithObject extends Tool {
  call(context?: object) {
    return Object.keys(context ?? {});
  }
}
