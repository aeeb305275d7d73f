import "reflect-metadata";
import { Exclude, Expose, Transform, Type } from "class-transformer";
import { Allow, IsArray, IsInt, IsNumber, IsOptional, IsString, ValidateNested } from "class-validator";
import { transformsOf } from "../../src/tool/bridges/class-transformer.js";
import { toInstance } from "../../src/tool/bridges/transformed-instance.js";
import { dtoFieldsOf } from "../../src/tool/bridges/dto.js";

describe("the fields of a plain DTO", () => {
  class Line {
    @IsString() sku!: string;
  }
  class CreateOrder {
    @IsString() customer!: string;
    @IsInt() quantity!: number;
    @ValidateNested({ each: true }) @Type(() => Line) lines!: Line[];
    @ValidateNested() main!: Line;
    @IsOptional() @Type(() => Date) due?: Date;
    @IsArray() @IsString({ each: true }) tags!: string[];
    @IsOptional() either?: string | number;
    @Allow() note?: string;
    undecorated?: string;
  }
  const fields = new Map(dtoFieldsOf(CreateOrder)?.map((field) => [field.name, field]));

  it("are the decorated properties, in source order", () => {
    expect([...fields.keys()]).toEqual(["customer", "quantity", "lines", "main", "due", "tags", "either", "note"]);
  });

  it.each([
    ["customer", { required: true, token: String, each: false }],
    ["quantity", { required: true, token: Number, each: false }],
    ["lines", { required: true, token: Line, each: true }],
    ["main", { required: true, token: Line, each: false }],
    ["due", { required: false, token: Date, each: false }],
    ["tags", { required: true, each: true }],
    ["either", { required: false, each: false }],
    ["note", { required: false, token: String, each: false }],
  ])(
    "%s has its type from @Type, else from the compiler",
    (name, { token, ...expected }: { required: boolean; each: boolean; token?: unknown }) => {
      expect(fields.get(name)).toMatchObject(expected);
      expect(fields.get(name)?.token).toBe(token);
    },
  );

  it("come with their rules", () => {
    expect(fields.get("quantity")?.rules).toMatchObject({ type: "integer" });
    expect(fields.get("tags")?.rules?.schema).toEqual({ type: "array", items: { type: "string" } });
  });

  it("are unknown if nothing decorates the class", () => {
    class Plain {
      name?: string;
    }
    expect(dtoFieldsOf(Plain)).toBeUndefined();
  });

  it("case 14: include those of the bases, for a class without decorators too", () => {
    class Rush extends CreateOrder {}
    expect(dtoFieldsOf(Rush)?.map(({ name }) => name)).toEqual([...fields.keys()]);
  });

  it("case 17: a list of nested objects without an item type is refused, with class, field and fix", () => {
    class Basket {
      @IsArray() @ValidateNested({ each: true }) items!: Line[];
    }
    expect(() => dtoFieldsOf(Basket)).toThrow(/Basket\.items: .*item type.*@Type\(\(\) => Item\) items/);
  });

  it("nested in a list are refused if @Type is of another copy of class-transformer, and the error names this cause", () => {
    jest.isolateModules(() => {
      const copy = require("class-transformer") as typeof import("class-transformer");
      class Basket {
        @ValidateNested({ each: true }) @copy.Type(() => Line) lines!: Line[];
      }
      expect(() => dtoFieldsOf(Basket)).toThrow(
        "Name it: @Type(() => Item) lines. If that is written there, it is of another copy of class-transformer, such as a bundle's: " +
          "leave it out of the bundle.",
      );
    });
  });

  it("leave out what class-transformer leaves out", () => {
    class Profile {
      @IsString() name!: string;
      @Exclude() @Allow() internal?: string;
      @Exclude({ toPlainOnly: true }) @IsString() password!: string;
      @Expose({ toPlainOnly: true }) get label(): string {
        return this.name;
      }
      @Expose({ groups: ["admin"] }) rank?: number;
    }
    expect(
      dtoFieldsOf(Profile)
        ?.map(({ name }) => name)
        .sort(),
    ).toEqual(["name", "password"]);
  });

  it("of a class that excludes all are the exposed ones", () => {
    @Exclude()
    class Closed {
      @Expose() @IsString() open!: string;
      @IsString() @IsOptional() shut?: string;
    }
    expect(dtoFieldsOf(Closed)?.map(({ name }) => name)).toEqual(["open"]);
    expect(toInstance(Closed, { open: "a", shut: "b" })).toEqual(Object.assign(new Closed(), { open: "a" }));
  });

  it("have the name that @Expose gives them on the wire", () => {
    class Snake {
      @Expose({ name: "user_name" }) @IsString() userName!: string;
    }
    expect(dtoFieldsOf(Snake)?.map(({ name }) => name)).toEqual(["user_name"]);
    expect(toInstance(Snake, { user_name: "eve" })).toEqual(Object.assign(new Snake(), { userName: "eve" }));
  });
});

describe("instances by class-transformer", () => {
  class Line {
    @Transform(({ value }) => String(value).trim()) sku!: string;
    @Type(() => Date) due?: Date;
  }
  class Order {
    @Type(() => Line) lines!: Line[];
    @Expose() note?: string;
    @Expose() units = "celsius";
    force?: boolean;
  }

  it("are nested instances, transformed", () => {
    const order = toInstance(Order, { lines: [{ sku: " a ", due: "2024-01-01T00:00:00Z" }] }) as Order;
    expect(order.lines[0]).toBeInstanceOf(Line);
    expect(order.lines[0]).toMatchObject({ sku: "a", due: new Date("2024-01-01T00:00:00Z") });
  });

  it("have no members for what didn't arrive, and keep initial values", () => {
    const order = toInstance(Order, { lines: [] }) as Order;
    expect(order.note).toBeUndefined();
    expect(order.units).toBe("celsius");
  });

  it('case 5: the text "false" never becomes true', () => {
    class Switch {
      @Transform(({ value }) => value) force!: boolean;
    }
    expect(toInstance(Switch, { force: "false" })).toMatchObject({ force: "false" });
  });

  it("leave the arguments as they were", () => {
    const plain = { lines: [{ sku: " a " }] };
    toInstance(Order, plain);
    expect(plain).toEqual({ lines: [{ sku: " a " }] });
  });

  it("never take a prototype from the arguments", () => {
    const order = toInstance(Order, JSON.parse('{"lines":[],"__proto__":{"admin":true}}')) as Record<string, unknown>;
    expect(order.admin).toBeUndefined();
  });
});

describe("what is known of a class", () => {
  class Base {
    @Type(() => Number) count!: number;
  }
  class Trimmed extends Base {
    @Transform(({ value }) => value) name!: string;
  }
  class Cat {}
  class Dog {}
  class Owner {
    @Type(() => Cat, {
      discriminator: {
        property: "kind",
        subTypes: [
          { value: Cat, name: "cat" },
          { value: Dog, name: "dog" },
        ],
      },
    })
    pet!: Cat | Dog;
  }

  it("is nothing without decorators", () => {
    class Plain {}
    expect(transformsOf(Plain)).toBeUndefined();
  });

  it("is inherited, and doesn't reach the base", () => {
    expect(transformsOf(Trimmed)?.typeOf("count")?.()).toBe(Number);
    expect(transformsOf(Trimmed)?.active).toBe(true);
    expect(transformsOf(Base)?.active).toBe(false);
  });

  it("is no single type if a discriminator chooses", () => {
    expect(transformsOf(Owner)?.typeOf("pet")).toBeUndefined();
    expect(transformsOf(Owner)?.active).toBe(true);
    expect((toInstance(Owner, { pet: { kind: "dog" } }) as Owner).pet).toBeInstanceOf(Dog);
  });

  it("is no type if the function reads the object, which isn't there yet", () => {
    class Dynamic {
      @Type((help) => (help?.object.kind === "number" ? Number : String)) value!: unknown;
    }
    expect(transformsOf(Dynamic)?.typeOf("value")).toBeUndefined();
  });
});

describe("numbers in DTOs", () => {
  it("are integers if @IsInt says so, beside @IsNumber too", () => {
    class Page {
      @IsNumber() @IsInt() page!: number;
    }
    expect(dtoFieldsOf(Page)?.[0]).toMatchObject({ token: Number, rules: { type: "integer" } });
  });
});
