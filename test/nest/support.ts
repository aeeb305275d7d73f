import "reflect-metadata";
import { type INestApplication, Injectable, type ModuleMetadata } from "@nestjs/common";
import { Test, type TestingModule } from "@nestjs/testing";
import { Agent, model, usesTools } from "../../src/agent/index.js";
import { ScriptedModel, type ScriptedStep } from "../../src/models/index.js";
import { description, identifier, Tool, type ToolClass } from "../../src/tool/index.js";

const open: { close(): Promise<void> }[] = [];

/** Ends what `start` and `boot` made: for `afterEach`. */
export async function closeApplications(): Promise<void> {
  for (const application of open.splice(0)) await application.close();
}

/** An application of one module, without a server: its providers can be taken from it. */
export async function boot(metadata: ModuleMetadata): Promise<TestingModule> {
  const application = await Test.createTestingModule(metadata).compile();
  await application.init();
  open.push(application);
  return application;
}

/** An application that listens; gives its address. `prepare`: what `main.ts` would do before it listens. */
export async function start(metadata: ModuleMetadata, prepare?: (application: INestApplication) => void): Promise<string> {
  const application = (await Test.createTestingModule(metadata).compile()).createNestApplication({ forceCloseConnections: true });
  prepare?.(application);
  await application.listen(0, "127.0.0.1");
  open.push(application);
  return application.getUrl();
}

/** An agent class whose model calls a tool once and is done. */
export function agentThatCalls(tool: ToolClass, input: Record<string, unknown> = {}) {
  return scriptedAgent([tool], [{ toolCalls: [{ name: tool.identifier, arguments: input }] }, "Done."]);
}

/** Each run of it plays the script from its beginning. */
export function scriptedAgent(tools: readonly ToolClass[], steps: readonly ScriptedStep[]) {
  @model(() => new ScriptedModel(steps))
  @usesTools(tools)
  class ScriptedAgent extends Agent {}

  return ScriptedAgent;
}

/** What the first tool call of a run gave. */
export async function resultOf(agent: Agent): Promise<unknown> {
  const [call] = (await agent.generate("Go")).steps[0]!.toolCalls;
  return call!.data ?? call!.content;
}

@Injectable()
export class Clock {
  now(): string {
    return "noon";
  }
}

@identifier("time")
@description("Tells the time.")
export class TimeTool extends Tool {
  constructor(private readonly clock: Clock) {
    super();
  }

  call() {
    return this.clock.now();
  }
}
