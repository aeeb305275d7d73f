import ts from "typescript";
import * as agentRoom from "../../src/agent/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import * as toolRoom from "../../src/tool/index.js";
import { settingListOf } from "../../src/tool/internal.js";

const library = { ...toolRoom, ...agentRoom, ScriptedModel };

/** Compiles TypeScript in one decorator dialect and runs it against the library; answers its exports. */
function evaluate(dialect: string, source: string): Record<string, any> {
  const { outputText } = ts.transpileModule(`import { ${Object.keys(library).join(", ")} } from "toolwright";\n${source}`, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS, experimentalDecorators: dialect === "legacy" },
  });
  const exports = {};
  new Function("exports", "require", outputText)(exports, () => library);
  return exports;
}

describe.each(["legacy", "standard"])("an agent's decorators in the %s dialect", (dialect) => {
  it("make an agent", async () => {
    const { GreetingAgent, scripted } = evaluate(
      dialect,
      `
      @description("Greets somebody. Use when asked to greet.")
      class GreetTool extends Tool {
        @required(String) name;
        call() { return "Hello, " + this.name; }
      }

      export const scripted = new ScriptedModel([{ toolCalls: [{ name: "greet_tool", arguments: { name: "Ada" } }] }, "Done."]);

      @model(scripted)
      @modelOptions({ temperature: 0 })
      @instructions("You greet.")
      @usesTools([GreetTool])
      @maxSteps(3)
      @identifier("greeter")
      @description("Greets people.")
      export class GreetingAgent extends Agent {}
      `,
    );
    expect(GreetingAgent.definition).toMatchObject({
      name: "greeter",
      description: "Greets people.",
      instructions: "You greet.",
      maxSteps: 3,
    });
    expect((await GreetingAgent.generate("Greet Ada")).text).toBe("Done.");
    expect(scripted.requests[1]).toMatchObject({ options: { temperature: 0 } });
    expect(scripted.requests[1].messages.at(-1).content).toBe("Hello, Ada");
  });

  it("are overridden by a subclass and leave its base alone", () => {
    const { Base, Derived } = evaluate(
      dialect,
      `
      @model("embedded/keyword") @maxSteps(3) export class Base extends Agent {}
      @maxSteps(5) export class Derived extends Base {}
      `,
    );
    expect([Base.definition.maxSteps, Derived.definition.maxSteps]).toEqual([3, 5]);
  });

  it("form a list if a class may have several: in order of writing, those of the base first", () => {
    const { Base, Derived } = evaluate(
      dialect,
      `
      const guard = { checkInput: pass };
      @guardrail("before", { ...guard, name: 1 }) @guardrail("before", { ...guard, name: 2 }) export class Base extends Agent {}
      @guardrail("before", { ...guard, name: 3 }) export class Derived extends Base {}
      `,
    );
    const namesOf = (agentClass: object) => settingListOf(agentClass, "guardrails").map((setting: any) => setting.guard.name);
    expect([namesOf(Base), namesOf(Derived)]).toEqual([
      [1, 2],
      [1, 2, 3],
    ]);
  });

  it("say where they belong when they stand on a member", () => {
    expect(() => evaluate(dialect, "class Wrong extends Agent { @maxSteps(3) run() {} }")).toThrow(
      "@maxSteps is for an agent's class. Move it above the class.",
    );
  });
});
