import { join } from "node:path";
import { transformSync as transformBySwc } from "@swc/core";
import { transformSync as transformByEsbuild } from "esbuild";
import ts from "typescript";
import { repositoryRoot } from "../support/code-blocks.js";
import { entrySources } from "../support/entries.js";

/** Starts an application with a tool and an agent that want a service, and gives what the tool returned. */
const application = (injection: string): string => `
  import { Inject, Injectable, Module } from "@nestjs/common";
  import { NestFactory } from "@nestjs/core";
  import { Agent, description, identifier, model, Tool, usesTools } from "toolwright";
  import { AgentFactory, ToolwrightModule } from "toolwright/nest";
  import { ScriptedModel } from "toolwright/testing";

  @Injectable()
  class Clock {
    now() { return "noon"; }
  }

  @identifier("time")
  @description("Tells the time.")
  class TimeTool extends Tool {
    constructor(${injection}private readonly clock: Clock) { super(); }
    call() { return this.clock.now(); }
  }

  @model(() => new ScriptedModel([{ toolCalls: [{ name: "time", arguments: {} }] }, "Done."]))
  @usesTools([TimeTool])
  class TimeAgent extends Agent {
    constructor(${injection}readonly clock: Clock) { super(); }
  }

  @Module({ imports: [ToolwrightModule.forFeature({ tools: [TimeTool], agents: [TimeAgent] })], providers: [Clock] })
  class TimeModule {}

  export async function start() {
    const application = await NestFactory.createApplicationContext(TimeModule, { logger: false, abortOnError: false });
    const agent = await application.get(AgentFactory, { strict: false }).create(TimeAgent);
    const { steps } = await agent.generate("What time is it?");
    await application.close();
    return [agent.clock.now(), steps[0].toolCalls[0].data];
  }
`;

const decorators = { experimentalDecorators: true, emitDecoratorMetadata: true };
const compilers = {
  tsc: (source: string) =>
    ts.transpileModule(source, { compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS, ...decorators } })
      .outputText,
  swc: (source: string) =>
    transformBySwc(source, {
      swcrc: false,
      jsc: {
        parser: { syntax: "typescript", decorators: true },
        transform: { legacyDecorator: true, decoratorMetadata: true },
        target: "es2022",
      },
      module: { type: "commonjs" },
    }).code,
  esbuild: (source: string) =>
    transformByEsbuild(source, { loader: "ts", format: "cjs", tsconfigRaw: { compilerOptions: decorators } }).code,
};

function start(code: string): Promise<string[]> {
  const module = { exports: {} as { start(): Promise<string[]> } };
  const load = (name: string): unknown => {
    const source = entrySources.get(name);
    return require(source === undefined ? name : join(repositoryRoot, source));
  };
  new Function("module", "exports", "require", code)(module, module.exports, load);
  return module.exports.start();
}

describe("a Nest application", () => {
  it.each(["tsc", "swc"] as const)("compiled by %s injects services by their types", async (compiler) => {
    expect(await start(compilers[compiler](application("")))).toEqual(["noon", "noon"]);
  });

  it("compiled by esbuild, which emits no types, names its services", async () => {
    expect(await start(compilers.esbuild(application("@Inject(Clock) ")))).toEqual(["noon", "noon"]);
  });

  it("compiled by esbuild says so if it doesn't name them", async () => {
    await expect(start(compilers.esbuild(application("")))).rejects.toThrow(
      /^TimeTool: its constructor wants 1 service, but their types are not known/,
    );
  });
});
