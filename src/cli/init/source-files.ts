import type { Files } from "../files/write-files.js";
import type { Choices } from "./choices.js";

/** The tool, its service if it has one, and the agent. */
export const sourceFiles = (choices: Choices): Files => ({
  "src/tools.ts": tools(choices),
  ...(choices.hasInjection && { "src/shops.ts": shops(choices) }),
  "src/agent.ts": agent(choices),
});

const head = `@identifier("opening_hours")
@description("Gets the opening hours of a shop. Use when the user asks when a shop is open.")
export class OpeningHoursTool extends Tool {
  @required(String, "The street that the shop is in, such as Main Street")
  street!: string;
`;

function tools({ template, decorators, hasInjection }: Choices): string {
  if (!hasInjection) {
    return `import { description, identifier, required, Tool } from "toolwright";

${head}
  call() {
    return \`The shop in \${this.street} is open from 9 to 18.\`;
  }
}
`;
  }
  const isStandard = template !== "nest" && decorators === "standard";
  const constructorInjection = `  constructor(private readonly shops: Shops) {
    super();
  }`;
  return `import { description, identifier, required, Tool } from "toolwright";
${isStandard ? 'import { Container } from "typedi";\n' : ""}import { Shops } from "./shops.js";

${head}
${isStandard ? "  // Standard decorators know no types of constructors.\n  private readonly shops = Container.get(Shops);" : constructorInjection}

  call() {
    return \`The shop in \${this.street} is open \${this.shops.hoursIn(this.street)}.\`;
  }
}
`;
}

const shops = ({ template }: Choices): string =>
  template === "nest"
    ? `import { Injectable } from "@nestjs/common";

@Injectable()
${shopsClass}`
    : `import { Service } from "typedi";

@Service()
${shopsClass}`;

const shopsClass = `export class Shops {
  /** Where your application would ask its database. */
  hoursIn(street: string): string {
    return street === "Station Road" ? "around the clock" : "from 9 to 18";
  }
}
`;

function agent({ template, decorators, hasInjection }: Choices): string {
  const usesTypedi = hasInjection && template !== "nest" && decorators === "legacy";
  const names = ["Agent", "instructions", "model", ...(usesTypedi ? ["useContainer"] : []), "usesTools"];
  return `import { ${names.join(", ")} } from "toolwright";
${usesTypedi ? 'import { Container } from "typedi";\n' : ""}import { OpeningHoursTool } from "./tools.js";
${usesTypedi ? "\n// typedi makes the tools, with their services.\nuseContainer(Container);\n" : ""}
// The keyword model needs no key and is no language model. Another one: npm install @ai-sdk/openai, and @model("openai/gpt-5-mini").
@model("embedded/keyword")
@instructions("You help the customers of a shop. Use the tools, and say so if none fits.")
@usesTools([OpeningHoursTool])
export class ShopAgent extends Agent {}
`;
}
