import { writeTypes } from "../../src/bundler/write-types.js";
import { readSourceFile } from "../../src/bundler/source-file.js";

/** The other files of a test, by what they are imported as. */
type Files = Readonly<Record<string, string>>;

const parsed = (specifier: string, code: string | undefined) => (code === undefined ? undefined : readSourceFile(`${specifier}.ts`, code));

async function written(code: string, files: Files = {}, path = "tool.ts"): Promise<string> {
  const cache = new Map<string, ReturnType<typeof parsed>>();
  const importedFile = async (specifier: string) => {
    if (!cache.has(specifier)) cache.set(specifier, parsed(specifier, files[specifier]));
    return cache.get(specifier);
  };
  return (await writeTypes(code, path, importedFile))?.code ?? code;
}

const imports = 'import { optional, required, Tool } from "toolwright";';

/** A tool with the member, after the lines before it. */
const tool = (member: string, ...before: readonly string[]) =>
  [imports, ...before, "class MyTool extends Tool {", `  ${member}`, "  call() {}", "}"].join("\n");

const member = async (source: string, before: readonly string[] = [], files: Files = {}) => {
  const lines = (await written(tool(source, ...before), files)).split("\n");
  return lines
    .slice(before.length + 2, -2)
    .join("\n")
    .trim();
};

/** The member beside it shows that the source was read. */
const untouched = async (source: string, before: readonly string[] = [], files: Files = {}) =>
  expect(await member(`${source}\n@required() read!: Date;`, before, files)).toBe(`${source}\n@required(Date) read!: Date;`);

describe("the types that are written", () => {
  it.each([
    ["@required() a!: string;", "@required(String) a!: string;"],
    ["@required() a!: number;", "@required(Number) a!: number;"],
    ["@required() a!: boolean;", "@required(Boolean) a!: boolean;"],
    ["@required() a!: Date;", "@required(Date) a!: Date;"],
    ["@optional() a?: string;", "@optional(String) a?: string;"],
    ["@required() a!: string[];", "@required([String]) a!: string[];"],
    ["@required() a!: readonly Date[];", "@required([Date]) a!: readonly Date[];"],
    ["@required() a!: Array<number>;", "@required([Number]) a!: Array<number>;"],
    ["@required() a!: ReadonlyArray<(boolean)>;", "@required([Boolean]) a!: ReadonlyArray<(boolean)>;"],
    ["@required() a!: number[][];", "@required([[Number]]) a!: number[][];"],
    ['@required() a!: "low" | "high";', '@required({ enum: ["low", "high"] }) a!: "low" | "high";'],
    ['@required() a!: | "low" | `high`;', '@required({ enum: ["low", "high"] }) a!: | "low" | `high`;'],
    ["@required() a!: 1 | -2.5 | true;", "@required({ enum: [1, -2.5, true] }) a!: 1 | -2.5 | true;"],
    ['@required() a!: "it\'s \\"x\\"";', '@required({ enum: ["it\'s \\"x\\""] }) a!: "it\'s \\"x\\"";'],
    ['@required() a!: ("low" | "high")[];', '@required(Array, { enum: ["low", "high"] }) a!: ("low" | "high")[];'],
    ['@required() a!: "low" | null;', '@required({ enum: ["low", null] }) a!: "low" | null;'],
    ["@required() a!: string | null;", '@required({ schema: { type: ["string", "null"] } }) a!: string | null;'],
    ["@required() a!: null | number;", '@required({ schema: { type: ["number", "null"] } }) a!: null | number;'],
    ["@optional() a: string | undefined;", "@optional(String) a: string | undefined;"],
    ["@optional() a?: undefined | string | null;", '@optional({ schema: { type: ["string", "null"] } }) a?: undefined | string | null;'],
    ["@required() declare a: string;", "@required(String) declare a: string;"],
    ["@required() public readonly a!: string;", "@required(String) public readonly a!: string;"],
    ["@required() 'a-b'!: string;", "@required(String) 'a-b'!: string;"],
    ["@required() override a: string = 'x';", "@required(String) override a: string = 'x';"],
  ])("%s", async (source, expected) => {
    expect(await member(source)).toBe(expected);
  });

  it.each([
    ["a class", "Address", "class Address {}", "@required(() => Address) a!: Address;"],
    ["a list of a class", "Address[]", "export class Address {}", "@required(() => [Address]) a!: Address[];"],
    ["lists of a class", "Address[][]", "export default class Address {}", "@required(() => [[Address]]) a!: Address[][];"],
    ["an enum", "Role", 'enum Role { Reader = "reader" }', "@required({ enum: Role }) a!: Role;"],
    ["a list of an enum", "Role[]", "export enum Role { Low, High }", "@required(Array, { enum: Role }) a!: Role[];"],
    ["an alias", "Id", "type Id = string;", "@required(String) a!: Id;"],
    [
      "an alias of an alias",
      "Ids | undefined",
      "type Id = 'a' | 'b'; export type Ids = Id[];",
      '@required(Array, { enum: ["a", "b"] }) a!: Ids | undefined;',
    ],
    ["an alias of a class", "Home", "class Address {} type Home = Address;", "@required(() => Address) a!: Home;"],
    [
      "items of a constant",
      "(typeof units)[number]",
      'const units = ["m", "km"] as const;',
      '@required({ enum: ["m", "km"] }) a!: (typeof units)[number];',
    ],
    [
      "an alias of these",
      "Unit",
      "const units = [1, 2] as const satisfies number[]; type Unit = typeof units[number];",
      "@required({ enum: [1, 2] }) a!: Unit;",
    ],
  ])("%s of the same file", async (_, type, before, expected) => {
    expect(await member(`@required() a!: ${type};`, [before])).toBe(expected);
  });

  it("a class that is declared further down, and the class itself", async () => {
    const source = `${imports}\nclass Node { @optional() next?: Node; @required() other!: Later; }\nclass Later {}`;
    expect(await written(source)).toContain("@optional(() => Node) next?: Node; @required(() => Later) other!: Later;");
  });

  it("a class of the function around", async () => {
    const source = `${imports}\nfunction make() { class Address {}\n return class extends Tool { @required() a!: Address; }; }`;
    expect(await written(source)).toContain("@required(() => Address) a!: Address;");
  });
});

describe("what is left alone", () => {
  it.each([
    ...["any", "unknown", "object", "{}", "{ x: number }", "never", "void", "bigint", "symbol", "1n", "undefined", "this"],
    ...["Map<string, string>", "Set<string>", "Record<string, number>", "Promise<string>", "Partial<Date>", "Array", "Foreign", "String"],
    ...[
      "[string, number]",
      "string | number",
      "Date | null",
      "Date | string",
      "string & { brand: 1 }",
      "`id-$" + "{string}`",
      "() => void",
    ],
    ...["keyof Date", 'Date["getTime"]', "typeof globalThis", "string extends 'a' ? 1 : 2", "{ [K in 'a']: 1 }", "(string | null)[]"],
    ...["('a' | 'b')[][]", "a.B", "a.b.C", 'import("./a").A', "new () => Date", "unique symbol", "Date[] | null", "string[] | string"],
  ])("%s", async (type) => untouched(`@required() a!: ${type};`));

  it.each([
    ["an interface", "interface Address { city: string }"],
    ["a class that an interface extends", "class Address {} interface Address { city: string }"],
    ["a generic class", "class Address<T = string> { city!: T }"],
    ["an abstract class", "abstract class Address {}"],
    ["a class without code", "declare class Address {}"],
    ["a class of a namespace", "namespace N { export class Address {} }"],
    ["a class that a namespace hides", "class Address {} namespace N { export class Address {} }"],
    ["a constant enum", "const enum Address { A }"],
    ["an enum without code", "declare enum Address { A }"],
    ["an enum in two parts", "enum Address { A } enum Address { B = 1 }"],
    ["an alias of an object", "type Address = { city: string };"],
    ["a generic alias", "type Address<T = string> = T;"],
    ["an alias of itself", "type Address = Address[];"],
    ["a variable", "const Address = class {};"],
    ["items of a variable", "let units = ['a'] as const; type Address = typeof units[number];"],
    ["items of a plain list", "const units = ['a']; type Address = typeof units[number];"],
    ["items of no literals", "const units = [...['a']] as const; type Address = typeof units[number];"],
    ["items of a typed constant", "const units: readonly string[] = ['a'] as const; type Address = typeof units[number];"],
    ["a hidden built-in in an alias", "type String = 1; type Address = string;"],
  ])("%s", async (_, before) => {
    await untouched("@required() a!: Address;", [before]);
  });

  it("an alias of a class whose name means another one at the decorator", async () => {
    const source = `${imports}\nclass A {} type B = A;\nfunction f() { class A {} return class { @required() a!: B; }; }`;
    expect(await written(source)).toBe(source);
  });

  it("an enum that is declared after the class", async () => {
    const source = `${imports}\nclass MyTool extends Tool { @required() a!: Role; }\nenum Role { A }`;
    expect(await written(source)).toBe(source);
  });

  it.each([
    ["a type parameter", "class Box<Address> { @required() a!: Address; }\nclass Address {}"],
    ["a parameter of a function", "class Address {}\nfunction f(Address: number) { return class { @required() a!: Address; }; }"],
    ["a class of the function", "function f() { class Address {}\n return 1; }\nclass MyTool { @required() a!: Address; }"],
    ["a variable of the function", "class Address {}\nfunction f() { { var Address = 1; } return class { @required() a!: Address; }; }"],
    ["a built-in that the file declares", "const String = 1;\nclass MyTool { @required() a!: string; }"],
    ["an imported built-in", 'import { Date } from "./dates";\nclass MyTool { @required() a!: Date; }'],
    ["a global that the file declares", "declare global { interface Date { x: 1 } }\nclass MyTool { @required() a!: Date; }"],
    ["a hidden decorator", "function f(required: any) { return class { @required() a!: string; }; }"],
  ])("a name that means something else there: %s", async (_, code) => {
    const source = `${imports}\n${code}`;
    expect(await written(source)).toBe(source);
  });

  it.each([
    "@required(String) a!: string;",
    "@required(Integer, 'Text') a!: number;",
    "@required([String]) a!: string[];",
    "@required(() => Node) a!: Node;",
    "@required({ type: String }) a!: string;",
    "@required({ enum: ['a'] }) a!: string;",
    "@required({ 'schema': {} }) a!: string;",
    "@required({ '~standard': {} }) a!: string;",
    "@required({ ...options }) a!: string;",
    "@required({ [name]: 1 }) a!: string;",
    "@required({ get description() { return ''; } }) a!: string;",
    "@required(options) a!: string;",
    "@required(...written) a!: string;",
    "@required(undefined) a!: string;",
    "@required('a', { minLength: 1 }) a!: string;",
    "@required a!: string;",
    "@required<string>() a!: string;",
    "@(required()) a!: string;",
    "@required() static a: string;",
    "@required() accessor a: string;",
    "@required() #a!: string;",
    "@required() [a]!: string;",
    "@required() a;",
    "@required() a = 'x';",
    "@required() get a(): string { return ''; }",
    "@required() a(): string { return ''; }",
    "other(@required('a') a: string) {}",
    "static call(@required('a') a: string) {}",
    "constructor(@required('a') a: string) { super(); }",
  ])("%s", async (source) => untouched(source));

  it.each([
    ["another package", 'import { required } from "typed-inject";'],
    ["a file", 'import { required } from "./toolwright";'],
    ["an entry without decorators", 'import { required } from "toolwright/testing";'],
    ["a package of a like name", 'import { required } from "toolwright-extras";'],
    ["a default export", 'import required from "toolwright";'],
    ["a type", 'import { type required } from "toolwright";'],
    ["types alone", 'import type { required } from "toolwright";'],
    ["another export", 'import { input as required } from "toolwright";'],
    ["nothing", "// toolwright"],
  ])("a decorator of %s", async (_, line) => {
    const source = `${line}\nclass MyTool { @required() a!: string; }`;
    expect(await written(source)).toBe(source);
  });

  it("a source with syntax errors", async () => {
    const source = tool("@required() a!: string; oops(");
    expect(await written(source)).toBe(source);
  });
});

describe("how decorators name the library", () => {
  it.each([
    ['import { required as r } from "toolwright";', "@r()", "@r(String)"],
    ['import { "required" as r } from "toolwright";', "@r()", "@r(String)"],
    ['import * as tools from "toolwright";', "@tools.required()", "@tools.required(String)"],
    ["import { required } from 'toolwright'", "@required()", "@required(String)"],
    ['import { Tool, optional as required } from "toolwright";', "@required()", "@required(String)"],
  ])("%s", async (line, decorator, expected) => {
    const source = (word: string) => `${line}\nexport class MyTool { ${word} a!: string; }`;
    expect(await written(source(decorator))).toBe(source(expected));
  });
});

describe("options and descriptions", () => {
  const roles = 'enum Role { Reader = "reader" }';
  it.each([
    ['@required("The city") a!: string;', '@required(String, "The city") a!: string;'],
    ["@required(`The $" + "{city}`) a!: string;", "@required(String, `The $" + "{city}`) a!: string;"],
    ['@required("The " + city) a!: string;', '@required(String, "The " + city) a!: string;'],
    ['@required("Who") a!: Role;', '@required({ enum: Role, description: "Who" }) a!: Role;'],
    ['@required("Who") a!: Role[];', '@required(Array, { enum: Role, description: "Who" }) a!: Role[];'],
    ["@required({ minLength: 1 }) a!: string;", "@required(String, { minLength: 1 }) a!: string;"],
    ["@optional({ default: 5, }) a!: number;", "@optional(Number, { default: 5, }) a!: number;"],
    ["@required({}) a!: Role;", "@required({ enum: Role,}) a!: Role;"],
    ["@required({ description: 'Who' }) a!: Role;", "@required({ enum: Role, description: 'Who' }) a!: Role;"],
    ["@required({ minItems: 1 }) a!: Role[];", "@required(Array, { enum: Role, minItems: 1 }) a!: Role[];"],
    [
      '@required({ "minLength": 1 }) a!: string | null;',
      '@required({ schema: { type: ["string", "null"] }, "minLength": 1 }) a!: string | null;',
    ],
    ["@required(/* nothing */) a!: string;", "@required(/* nothing */String) a!: string;"],
    ["@required( // nothing ()\n) a!: string;", "@required( // nothing ()\nString) a!: string;"],
    ['@required(/* ( */ "The city", /* ) */) a!: string;', '@required(/* ( */ String, "The city", /* ) */) a!: string;'],
    ["@required() /* a: number */ a /* ? */ !: /* Date */ string;", "@required(String) /* a: number */ a /* ? */ !: /* Date */ string;"],
  ])("%s", async (source, expected) => {
    expect(await member(source, [roles])).toBe(expected);
  });

  it.each([
    ['call(@required("a") a: string) {}', 'call(@required("a", String) a: string) {}'],
    ['call(@required("a", "The city") a: string) {}', 'call(@required("a", String, "The city") a: string) {}'],
    ['async call(@optional("a", { default: 1 }) a: number) {}', 'async call(@optional("a", Number, { default: 1 }) a: number) {}'],
    [
      'call(@required("a") a: Role, @optional("b",) b?: Role[]) {}',
      'call(@required("a", { enum: Role }) a: Role, @optional("b", Array, { enum: Role },) b?: Role[]) {}',
    ],
    ['call(@required("a", "Who") a: Role[]) {}', 'call(@required("a", Array, { enum: Role, description: "Who" }) a: Role[]) {}'],
    ['call(@optional("a") a: number = 1) {}', 'call(@optional("a", Number) a: number = 1) {}'],
    ['call(@required("a", String) a: string) {}', 'call(@required("a", String) a: string) {}'],
    ["call(@required() a: string) {}", "call(@required() a: string) {}"],
    ["call(@required(name) a: string) {}", "call(@required(name) a: string) {}"],
    ['call(@required("a") { a }: any) {}', 'call(@required("a") { a }: any) {}'],
    ['call(@required("a") ...a: string[]) {}', 'call(@required("a") ...a: string[]) {}'],
    ['call(@required("Role") Role: Role) {}', 'call(@required("Role") Role: Role) {}'],
    ['call<Role>(@required("a") a: Role) {}', 'call<Role>(@required("a") a: Role) {}'],
  ])("%s", async (source, expected) => {
    expect(await member(source, [roles])).toBe(expected);
  });
});

describe("other decorators of the member", () => {
  const others =
    'import { IsEmail } from "class-validator"; import { Transform, Type } from "class-transformer"; import * as rules from "class-validator"; class Line {}';
  it.each([
    ["@required() @IsEmail() a!: string;", "@required(String) @IsEmail() a!: string;"],
    ["@rules.MaxLength(9)\n  @required()\n  a!: string;", "@rules.MaxLength(9)\n  @required(String)\n  a!: string;"],
    ["@required() @optional() a!: string;", "@required(String) @optional(String) a!: string;"],
    ["@required() @Type(() => Line) a!: Line[];", "@required(() => [Line]) @Type(() => Line) a!: Line[];"],
    ["@required() @Type(() => Date) a!: Date;", "@required(Date) @Type(() => Date) a!: Date;"],
  ])("agree with the declared type: %s", async (source, expected) => {
    expect(await member(source, [others])).toBe(expected);
  });

  it.each([
    "@required() @Transform(({ value }) => value.split(',')) a!: string[];",
    "@required() @Type(() => Number) a!: string;",
    "@required() @Type(({ object }) => Line) a!: Line;",
    "@required() @Type(() => Line, { discriminator }) a!: Line;",
    "@required() @Trim() a!: string;",
    "@trim @required() a!: string;",
  ])("may ask for another value, so that the type stays out: %s", async (source) => untouched(source, [others]));
});

describe("imported types", () => {
  it.each([
    ["a class", '{ Address } from "./a"', "Address", "export class Address {}", "() => Address"],
    ["a renamed class", '{ Address as Home } from "./a"', "Home[]", "class A {} export { A as Address };", "() => [Home]"],
    ["a default export", 'Address from "./a"', "Address", "export default class Address {}", "() => Address"],
    ["a default export without a name", 'Address from "./a"', "Address", "export default class {}", "() => Address"],
    ["a default export by name", '{ default as Address } from "./a"', "Address", "class A {} export default A;", "() => Address"],
    ["a member of a namespace", '* as models from "./a"', "models.Address", "export class Address {}", "() => models.Address"],
    ["an enum", '{ Role } from "./a"', "Role", "export enum Role { A }", "{ enum: Role }"],
    ["an enum of a namespace", '* as models from "./a"', "models.Role[]", "export enum Role { A }", "Array, { enum: models.Role }"],
    ["an alias", '{ Unit } from "./a"', "Unit", 'type M = "m"; export type Unit = M | "km";', '{ enum: ["m", "km"] }'],
    ["an alias, as a type", 'type { Unit } from "./a"', "Unit", "export type Unit = string[];", "[String]"],
    [
      "items of a constant",
      '{ type units } from "./a"',
      "(typeof units)[number]",
      'export const units = ["m"] as const;',
      '{ enum: ["m"] }',
    ],
    ["an export of another file", '{ Address } from "./b"', "Address", "export class Address {}", "() => Address"],
    ["an export of all", '{ Address } from "./c"', "Address", "export class Address {}", "() => Address"],
    ["an import that is exported", '{ Address } from "./d"', "Address", "export class Address {}", "() => Address"],
    ["an export of all in a circle", '{ Address } from "./e"', "Address", "export class Address {}", "() => Address"],
  ])("%s", async (_, clause, type, code, expected) => {
    const files = {
      "./a": code,
      "./b": 'export { Address } from "./a";',
      "./c": 'export class Other {} export * from "./missing"; export * from "./a";',
      "./d": 'import { Address } from "./a"; export { Address };',
      "./e": 'export * from "./f"; export * from "./c";',
      "./f": 'export * from "./e"; export * from "./a";',
    };
    expect(await member(`@required() a!: ${type};`, [`import ${clause};`], files)).toBe(`@required(${expected}) a!: ${type};`);
  });

  it.each([
    ["an interface", '{ Address } from "./a"', "export interface Address {}"],
    ["a class that is imported as a type", 'type { Address } from "./a"', "export class Address {}"],
    ["a name that is imported as a type", '{ type Address } from "./a"', "export class Address {}"],
    ["a namespace that is imported as a type", 'type * as a from "./a"; type Address = a.Address', "export class Address {}"],
    ["a class that is exported as a type", '{ Address } from "./a"', "class Address {} export type { Address };"],
    ["a name that is exported as a type", '{ Address } from "./a"', "class Address {} export { type Address };"],
    ["all of a file, exported as types", '{ Address } from "./types"', "export class Address {}"],
    ["a class without code", '{ Address } from "./a"', "export declare class Address {}"],
    ["an abstract class", '{ Address } from "./a"', "export abstract class Address {}"],
    ["a generic class", '{ Address } from "./a"', "export class Address<T> { city!: T }"],
    ["a constant enum", '{ Address } from "./a"', "export const enum Address { A }"],
    ["an alias of a class", '{ Address } from "./a"', "class A {} export type Address = A;"],
    ["an alias of an enum", '{ Address } from "./a"', "enum A { B } export type Address = A;"],
    ["an alias with a value of the same name", '{ Address } from "./a"', "export type Address = string; export const Address = 1;"],
    ["a variable", '{ Address } from "./a"', "export const Address = class {};"],
    ["what isn't exported", '{ Address } from "./a"', "class Address {}"],
    ["what two files export", '{ Address } from "./both"', "export class Address {}"],
    ["a file that isn't found", '{ Address } from "./missing"', ""],
    ["a file with syntax errors", '{ Address } from "./a"', "export class Address {"],
    [
      "a class that the file extends",
      '{ Address } from "./a"; declare module "./a" { interface Address { x: 1 } }',
      "export class Address {}",
    ],
    ["an alias of itself", '{ Address } from "./a"', 'import { Address as Same } from "./a"; export type Address = Same;'],
    ["require", 'Address = require("./a")', "class Address {} export = Address;"],
  ])("are left alone: %s", async (_, clause, code) => {
    const files = {
      "./a": code,
      "./b": "export class Address {}",
      "./both": 'export * from "./a"; export * from "./b";',
      "./types": 'export type * from "./a";',
    };
    await untouched("@required() a!: Address;", [`import ${clause};`], files);
  });
});

describe("the text of the source", () => {
  it("stays as it is around the types, with its byte order mark, line ends and emoji", async () => {
    const source = `\uFEFF// 🏠 ü\r\n${tool('@required("🏙")\r\n  a!: string;').replaceAll("\n", "\r\n")}\r\n`;
    expect(await written(source)).toBe(source.replace('"🏙"', 'String, "🏙"'));
  });

  it("may hold JSX in .tsx, and type assertions in .ts", async () => {
    const jsx = `${tool("@required() a!: string;")}\nexport const page = <div>{1}</div>;`;
    expect(await written(jsx, {}, "tool.tsx")).toContain("@required(String)");
    expect(await written(`${tool("@required() a!: string;")}\nexport const x = <any>1;`, {}, "tool.mts")).toContain("@required(String)");
  });

  it("may have decorators before and after export, and a line for Node first", async () => {
    const source = `#!/usr/bin/env node\n${imports}\n@a() export class A { @required() a!: string }\nexport @a() class B { @required() a!: string }`;
    expect((await written(source)).match(/@required\(String\)/g)).toHaveLength(2);
  });

  it("leads back to the source by the map", async () => {
    const source = tool("@required() first!: string; @required() second!: number;");
    const result = await writeTypes(source, "tool.ts", async () => undefined);
    expect(result?.map).toMatchObject({ version: 3, sources: ["tool.ts"], sourcesContent: [source] });
  });

  it("isn't parsed without the library or its decorators", async () => {
    const parse = jest.spyOn(jest.requireActual<typeof import("oxc-parser")>("oxc-parser"), "parseSync");
    await written("class A { @required() a!: string }");
    await written('import { Agent } from "toolwright";');
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });
});
