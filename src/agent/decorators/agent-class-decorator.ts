import { writeSettingInList, writeSettings } from "../../tool/internal.js";
import type { Agent } from "../agent.js";
import { AgentDefinitionError } from "../agent-errors.js";

// Constructor parameters are services of the application's container: their types can't be known here.
// biome-ignore lint/suspicious/noExplicitAny: a narrower type would refuse classes with injected services
type AnyClass = abstract new (...services: any[]) => unknown;

/** A decorator for classes that extend `Agent`, in legacy and standard decorators. */
export type AgentClassDecorator = <Class extends AnyClass>(
  target: Class & (InstanceType<Class> extends Agent ? unknown : "This decorator is for classes that extend Agent."),
  context?: ClassDecoratorContext<Class>,
) => void;

/** Makes a class decorator that writes one setting. */
export function agentDecorator(name: string, value: unknown): AgentClassDecorator {
  return checkedDecorator(name, writeSettings({ [name]: value }));
}

/** Makes a class decorator that a class may have several times. */
export function agentListDecorator(name: string, value: unknown): AgentClassDecorator {
  return checkedDecorator(name, writeSettingInList(name, value));
}

function checkedDecorator(name: string, write: (target: object, context?: unknown) => void): AgentClassDecorator {
  return (target, context) => {
    if (typeof target !== "function" || (context !== undefined && context.kind !== "class")) {
      throw new AgentDefinitionError(`@${name} is for an agent's class. Move it above the class.`);
    }
    write(target, context);
  };
}
