import type { ToolClass } from "./tool-class.js";
import type { ToolContext } from "./tool-context.js";
import type { FilePart, ImagePart } from "./content/content-part.js";
import type { ToolResponse } from "./tool-response.js";

/**
 * The validated arguments of a tool class as JSON, with defaults: the fields of the class, with each `Date` as a string, and
 * without methods.
 *
 * Use it in rules: `@requiresConfirmation(({ day }: ArgumentsOf<BookTool>) => day < "2030-01-01")`. See docs/02-tools.md.
 */
export type ArgumentsOf<Instance> = Instance extends infer Owner
  ? { [Name in keyof Owner as FieldName<Owner, Name>]: Data<Owner[Name], string> }
  : never;

/**
 * The arguments that code passes to call a tool. All fields are optional, because those with a default needn't be passed. If the
 * class has no fields (such as `ToolClass`, or a class with parameters of `call`), any object.
 */
export type ToolCallInput<Type extends ToolClass> = InstanceType<Type> extends infer Owner ? InputOf<Owner> : never;

/** The same for the instances of a class. */
export type InputOf<Owner> =
  TellsFields<Owner> extends true
    ? [InputName<Owner>] extends [never]
      ? { [Name in keyof Owner as FieldName<Owner, Name>]?: Writable<Owner[Name]> | undefined }
      : { [Name in keyof Owner as FieldName<Owner, Name>]?: Writable<Owner[Name]> | undefined } & { [Name in InputName<Owner>]?: unknown }
    : Record<string, unknown>;

/** The data that a call of a tool returns to code: the return type of the tool's `call`, as JSON. */
export type ToolCallOutput<Type extends ToolClass> =
  InstanceType<Type> extends { call(...parameters: never): infer Returned } ? Json<Awaited<Returned>> : unknown;

/** The public fields of a class. No type shows which of them are parameters. */
export type FieldName<Owner, Name extends keyof Owner> = Name extends "call" ? never : Owner[Name] extends AnyMethod ? never : Name;

// Any function at all. `void` for the result, so that the compiler needn't infer what a method returns that uses the type.
// biome-ignore lint/suspicious/noExplicitAny: see above
type AnyMethod = (...parameters: any[]) => void;

/** A value without the methods of its classes, in which a date is a `Day`. */
export type Data<Value, Day> = unknown extends Value
  ? Value
  : Value extends string | number | boolean | null | undefined
    ? Value
    : Value extends Date
      ? Day
      : Value extends readonly unknown[]
        ? { [Index in keyof Value]: Data<Value[Index], Day> }
        : Value extends object
          ? { [Name in keyof Value as Value[Name] extends AnyMethod ? never : Name]: Data<Value[Name], Day> }
          : Value;

/** A value as code writes it: members of nested classes may have defaults, and a member of an enum is its text. */
type Writable<Value> = unknown extends Value
  ? Value
  : Value extends string
    ? Value | `${Value}`
    : Value extends number | boolean | null | undefined
      ? Value
      : Value extends Date
        ? string
        : Value extends readonly (infer Item)[]
          ? readonly Writable<Item>[]
          : Value extends object
            ? { [Name in keyof Value as Value[Name] extends AnyMethod ? never : Name]?: Writable<Value[Name]> | undefined }
            : Value;

/** False if the arguments aren't the fields: parameters of `call` have names that no type knows. */
export type TellsFields<Owner> = Owner extends { call(...parameters: infer Parameters): void }
  ? number extends Parameters["length"]
    ? false
    : Parameters extends readonly [] | readonly [_context?: infer Context]
      ? ToolContext extends Context
        ? true
        : Context extends Partial<ToolContext>
          ? true
          : false
      : false
  : false;

/** The names of members of the fields' classes: `@input` makes them parameters, and no type shows which fields have it. */
export type InputName<Owner> = MemberName<{ [Name in keyof Owner as FieldName<Owner, Name>]-?: Owner[Name] }[FieldNames<Owner>]>;

type FieldNames<Owner> = keyof { readonly [Name in keyof Owner as FieldName<Owner, Name>]: unknown };

type MemberName<Value> = unknown extends Value
  ? never
  : Value extends string | number | boolean | null | undefined | Date | Special
    ? never
    : Value extends object
      ? string extends keyof Value
        ? never
        : FieldNames<Value>
      : never;

/** The type of a returned value after conversion to JSON, by the rules of `normalise`. `Unsure`: a value without a known type. */
type Json<Value, Unsure = unknown, Null = null> = unknown extends Value
  ? Value & Unsure
  : Value extends string | number | boolean
    ? Value
    : // biome-ignore lint/suspicious/noConfusingVoidType: what a method without a result returns
      Value extends null | undefined | void
      ? Null
      : Value extends Date | bigint
        ? string
        : Value extends ToolResponse
          ? Responded<Value, Unsure, Null>
          : Value extends readonly unknown[]
            ? { [Index in keyof Value]: Json<Value[Index], Unsure, Null> }
            : Value extends Special
              ? Unsure
              : Value extends object
                ? {
                    [Name in keyof Value as Value[Name] extends AnyMethod | symbol ? never : Name]: Member<Value[Name], Unsure, Null>;
                  }
                : Unsure;

/** Objects that JSON holds in another form than their members. */
type Special = AnyMethod | Error | RegExp | ArrayBuffer | ArrayBufferView | Iterable<unknown> | { toJSON(...parameters: never): unknown };

/** A member without a value is left out. */
type Member<Value, Unsure, Null> = Value extends undefined ? undefined : Json<Value, Unsure, Null>;

type Responded<Response extends ToolResponse, Unsure, Null> = Response extends { readonly kind: "failure" }
  ? never
  : Response extends { readonly kind: "text" }
    ? string
    : Json<Response["value"], Unsure, Null>;

/** Whether the result of `call` may be a `Declared`. False only if the types show that it isn't. */
export type MayReturn<Returned, Declared> = Fits<
  // biome-ignore lint/suspicious/noExplicitAny: an unknown type, and what may be absent, fits everything
  Json<Exclude<Beside<Awaited<Returned>>, null | undefined>, any, any>,
  Writable<Declared>
>;

/** What stands beside images and files in a result: one value, or a list of several. */
type Beside<Value> = unknown extends Value
  ? Value
  : Value extends ImagePart | FilePart
    ? never
    : Value extends readonly (infer Item)[]
      ? [Extract<Item, ImagePart | FilePart>] extends [never]
        ? Value
        : Exclude<Item, ImagePart | FilePart> | readonly Exclude<Item, ImagePart | FilePart>[]
      : Value;

/** Whether a value does that can be one of several. */
type Fits<Value, Allowed> = [Value] extends [never] ? true : true extends (Value extends Allowed ? true : false) ? true : false;
