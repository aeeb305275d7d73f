/**
 * What a member decorator is written on, as the compiler sees it: the compile-time twin of `placeOf`.
 * Legacy gives prototype, key and (for parameters) index; the standard dialect gives a context object.
 */
export type MemberAt<Target, Key, Third> = Key extends { readonly kind: string; readonly name: infer Name }
  ? StandardMember<Key, Text<Name>>
  : Key extends string | symbol
    ? Target extends AnyClass
      ? Elsewhere<`${Text<Key>} is static: decorate a public instance field`>
      : Third extends number
        ? CallParameterAt<Target, Key, Third>
        : Third extends object
          ? Elsewhere<`${Text<Key>} is a method or accessor: decorate a public instance field`>
          : FieldAt<Target, Key, "legacy">
    : Elsewhere<"decorate a public instance field, or a parameter of call">;

export interface Field<Name, Value, Dialect> {
  readonly kind: "field";
  readonly name: Name;
  readonly value: Value;
  readonly dialect: Dialect;
}

export interface CallParameter<Value> {
  readonly kind: "callParameter";
  readonly value: Value;
}

export interface Elsewhere<Message> {
  readonly kind: "elsewhere";
  readonly message: Message;
}

type StandardMember<Context, Name extends string> = Context extends {
  readonly kind: "field";
  readonly static: infer Static;
  readonly private: infer Private;
  readonly access: { get(object: infer Owner): infer Value };
}
  ? Static extends true
    ? Elsewhere<`${Name} is static: decorate a public instance field`>
    : Private extends true
      ? Elsewhere<`${Name} is private: decorate a public instance field`>
      : Name extends keyof Owner
        ? Field<Name, Value, "standard">
        : Elsewhere<`${Name} is private or protected: decorate a public instance field`>
  : Elsewhere<`${Name} is not a field: decorate a public instance field`>;

// `keyof` lists public members only.
type FieldAt<Target, Key, Dialect> = Key extends keyof Target
  ? Field<Text<Key>, Target[Key], Dialect>
  : Elsewhere<`${Text<Key>} is private or protected: decorate a public instance field`>;

type CallParameterAt<Target, Key, Index extends number> = Key extends "call"
  ? Target extends { call(...parameters: infer Parameters): unknown }
    ? CallParameter<Parameters[Index]>
    : Elsewhere<"call is private or protected: make it public">
  : Elsewhere<`${Text<Key>} is not call: decorate parameters of call only`>;

// biome-ignore lint/suspicious/noExplicitAny: a class, whatever its constructor takes
type AnyClass = abstract new (...parameters: any[]) => unknown;

type Text<Name> = Name extends string ? Name : "a symbol";
