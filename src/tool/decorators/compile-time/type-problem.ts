import type { IsAny, IsLiteral, IsNullable, IsUnion, IsWide } from "./type-predicates.js";
import type { Show, ShowType } from "./show-type.js";
import type { ParameterWord } from "./checked.js";
import type { TypeOf } from "../../../schema/index.js";
import type { TypesLeftOut } from "../types-left-out.js";

export type EnumProblem<Declared, Options> = Options extends { readonly enum: infer Source }
  ? [EnumValue<Source>] extends [EnumTarget<Declared, Options>]
    ? Options extends { readonly type: infer Token }
      ? [EnumValue<Source>] extends [EnumTarget<TypeOf<Token>, Options>]
        ? never
        : `: its type does not have the enum value ${Show<Exclude<EnumValue<Source>, EnumTarget<TypeOf<Token>, Options>>>}`
      : never
    : IsWide<EnumValue<Source>> extends true
      ? `: write "as const" behind the values of enum, whose type is ${Show<EnumValue<Source>>}`
      : `: its declared type does not accept the enum value ${Show<Exclude<EnumValue<Source>, EnumTarget<Declared, Options>>>}`
  : never;

/** The values that an enum option allows: items of a list, members of an enum object. */
export type EnumValue<Source> = Source extends readonly (infer Value)[] ? Value : Source[keyof Source];

/** What an enum option limits: beside the type of a list, its items; else the value itself. */
type EnumTarget<Value, Options> = Options extends { readonly type: ListToken }
  ? NonNullable<Value> extends readonly (infer Item)[]
    ? Item
    : never
  : Value;

export type ListToken = ArrayConstructor | readonly unknown[];

export type TypeProblem<Declared, Word extends ParameterWord, Options> = Options extends { readonly enum: unknown }
  ? never
  : Options extends { readonly type: infer Token }
    ? IsAny<Token> extends true
      ? never
      : [TypeOf<Token>] extends [Declared]
        ? never
        : Token extends StringConstructor | NumberConstructor
          ? IsLiteral<NonNullable<Declared>> extends true
            ? ListAllowedValues
            : DoesNotAccept<TypeOf<Token>, Declared>
          : [Token, NonNullable<Declared>] extends [ArrayConstructor, readonly unknown[]]
            ? GiveItemType<Word>
            : [Token, NonNullable<Declared>] extends [ObjectConstructor, object]
              ? ": Object says nothing of its members, give a class with decorated fields, or mapOf(...)"
              : DoesNotAccept<TypeOf<Token>, Declared>
    : never;

/** No type was written: what can be known without it. */
export type UntypedProblem<Declared, Word extends ParameterWord, Options, Dialect> = Options extends
  | { readonly type: unknown }
  | { readonly enum: unknown }
  ? never
  : TypesLeftOut extends { areWritten: true }
    ? never
    : IsLiteral<NonNullable<Declared>> extends true
      ? ListAllowedValues
      : Options extends { readonly default: string | number | boolean }
        ? never
        : Dialect extends "standard"
          ? `: give its type, e.g. @${Word}(String) (standard decorators see no types)`
          : [NonNullable<Declared>] extends [readonly unknown[]]
            ? GiveItemType<Word>
            : IsNullable<Declared> extends true
              ? `: give its type, e.g. @${Word}(String) (a union with null shows none at run time)`
              : IsUnion<Exclude<Declared, undefined>> extends true
                ? `: give its type, e.g. @${Word}(anyOf(String, Number)) (a union shows none at run time)`
                : never;

type ListAllowedValues = ": list the allowed values with enum";

type GiveItemType<Word extends ParameterWord> = `: give the item type, e.g. @${Word}([String])`;

type DoesNotAccept<Given, Declared> = `: its declared type does not accept ${ShowType<Exclude<Given, Declared>>}`;
