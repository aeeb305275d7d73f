import "reflect-metadata";
import { Transform, Type } from "class-transformer";
import { IsString, ValidateNested } from "class-validator";
import { anyOf } from "../../src/schema/index.js";
import { invokeTool } from "../../src/testing/index.js";
import { description, input, required, returns, Tool, type ToolClass } from "../../src/tool/index.js";

function toolOf(Fields: new () => object): ToolClass {
  @description("Saves. Use when asked to.")
  class SaveTool extends Tool {
    @input(Fields) fields!: object;

    call() {
      return { ...this.fields };
    }
  }
  return SaveTool;
}

class Cat {
  @required({ enum: ["cat"] }) kind!: "cat";
  @required(String) meow!: string;
}
class Dog {
  @required({ enum: ["dog"] }) kind!: "dog";
  @required(String) bark!: string;
}
const subTypes = [
  { value: Cat, name: "cat" },
  { value: Dog, name: "dog" },
];

describe("a type that no schema can say is rejected with the definition, which names what to write", () => {
  it("@Type with a discriminator: anyOf", async () => {
    class Owner {
      @ValidateNested() @Type(() => Cat, { discriminator: { property: "kind", subTypes } }) pet!: Cat | Dog;
    }
    class Declared {
      @required(anyOf(Cat, Dog)) @Type(() => Cat, { discriminator: { property: "kind", subTypes } }) pet!: Cat | Dog;
    }
    class Fixed {
      @required(anyOf(Cat, Dog)) pet!: Cat | Dog;
    }
    const message = ".pet: the discriminator of @Type isn't read. Take @Type away, and write @required(anyOf(Cat, Dog)) pet";
    expect(() => toolOf(Owner).definition).toThrow(`Owner${message}`);
    expect(() => toolOf(Declared).definition).toThrow(`Declared${message}`);
    expect(await invokeTool(toolOf(Fixed), { pet: { kind: "dog", bark: "wuff" } })).toEqual({ pet: { kind: "dog", bark: "wuff" } });
  });

  it("@Type that reads the object", () => {
    class Owner {
      @Type((help) => (help?.object.dog ? Dog : Cat)) pet!: Cat | Dog;
    }
    class Decorated {
      @required() @Type((help) => (help?.object.dog ? Dog : Cat)) pet!: Cat;
    }
    expect(() => toolOf(Owner).definition).toThrow("Owner.pet: @Type reads the object, which isn't there when the schema is made.");
    expect(() => toolOf(Decorated).definition).toThrow("Decorated.pet: @Type reads the object");
  });

  it("Map: mapOf, and Set: a list with unique items", () => {
    class Maps {
      @IsString({ each: true }) prices!: Map<string, string>;
    }
    class Sets {
      @IsString({ each: true }) @Type(() => String) tags!: Set<string>;
    }
    class DecoratedSets {
      @required() @Type(() => String) tags!: Set<string>;
    }
    expect(() => toolOf(Maps).definition).toThrow(
      "Maps.prices: JSON has no Map, so an object would arrive. Declare it: @required(mapOf(String)) prices",
    );
    expect(() => toolOf(Sets).definition).toThrow(
      "Sets.tags: JSON has no Set, so a list would arrive. Declare it: @required([String], { uniqueItems: true }) tags",
    );
    expect(() => toolOf(DecoratedSets).definition).toThrow("DecoratedSets.tags: JSON has no Set");
  });

  it("but for results, if class-transformer picks the type", async () => {
    class Owner {
      @required(anyOf(Cat, Dog)) @Type(() => Cat, { discriminator: { property: "kind", subTypes } }) pet!: Cat | Dog;
    }
    @description("Finds an owner. Use when asked to.")
    @returns(Owner)
    class FindTool extends Tool {
      call() {
        return { pet: Object.assign(new Dog(), { kind: "dog", bark: "wuff" }) };
      }
    }
    expect(FindTool.definition.outputSchema).toMatchObject({ properties: { pet: { anyOf: [{ type: "object" }, { type: "object" }] } } });
  });

  it("save a Set that a @Transform makes, and one that a tool returns", async () => {
    class Sets {
      @Transform(({ value }) => new Set(value)) @IsString({ each: true }) tags!: Set<string>;
    }
    class Result {
      @IsString({ each: true }) tags!: Set<string>;
    }
    @description("Lists tags. Use when asked to.")
    @returns(Result)
    class ListTool extends Tool {
      call() {
        return { tags: new Set(["a"]) };
      }
    }
    expect(await invokeTool(toolOf(Sets), { tags: ["a", "a"] })).toEqual({ tags: ["a"] });
    expect(await invokeTool(ListTool, {})).toEqual({ tags: ["a"] });
  });
});
