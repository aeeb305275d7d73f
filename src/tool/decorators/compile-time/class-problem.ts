import type { Tool } from "../../tool.js";
import type { ToolContext } from "../../tool-context.js";
import type { ToolDefinition } from "../../tool-definition.js";

/** The legacy dialect passes a key after the prototype of a member; the standard one a context for all. */
export type ClassProblem<Target, Context, Allowed, Message> = Context extends
  | string
  | symbol
  | { readonly kind: Exclude<DecoratorContext["kind"], "class"> }
  ? Message
  : Target extends Allowed
    ? never
    : Message;

/**
 * What is wrong with the parameters of a tool's `call`, or `never`. In the standard dialect none can be decorated, so that
 * what is surely no context is a mistake; in the legacy one the definition finds it.
 */
export type CallProblem<Target, Context> = Context extends { readonly kind: "class" }
  ? Target extends abstract new (
      // biome-ignore lint/suspicious/noExplicitAny: constructor parameters are services, of any type
      ...services: any[]
    ) => { call(...parameters: infer Parameters): void }
    ? { readonly [Index in keyof Parameters]-?: ParameterProblem<Parameters[Index]> }[number]
    : never
  : never;

type ParameterProblem<Parameter> = unknown extends Parameter
  ? never
  : IsContext<NonNullable<Parameter>> extends true
    ? never
    : [NonNullable<Parameter>] extends [string | number | bigint | boolean | symbol | readonly unknown[]]
      ? "call gets the context alone: make its other parameters fields, e.g. @required(String) city!: string"
      : "call gets the context, which has none of these members: make them fields, e.g. @required(String) city!: string, or write ToolContext & { ... } for members of your own context";

/** A part of the context, or a type that has some of its members, which then describes the application's own bag too. */
type IsContext<Parameter> = [ToolContext] extends [Parameter]
  ? true
  : [Parameter] extends [object]
    ? [Extract<keyof Parameter, keyof ToolContext>] extends [never]
      ? string extends keyof Parameter
        ? true
        : false
      : true
    : false;

// biome-ignore lint/suspicious/noExplicitAny: constructor parameters are services, of any type
export type ToolLike = (abstract new (...services: any[]) => Tool) & { readonly definition: ToolDefinition };

// Recognised by its shape: this room may not import the agents' one.
// biome-ignore lint/suspicious/noExplicitAny: as above
export type AgentLike = abstract new (...services: any[]) => { generate(...parameters: any[]): unknown };
