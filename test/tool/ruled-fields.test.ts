import "reflect-metadata";
import { Exclude, Expose, Transform } from "class-transformer";
import { Allow, IsArray, IsEmpty, IsInt, IsNotEmpty, IsNotIn, IsOptional, IsString, ValidateIf } from "class-validator";
import { anyOf } from "../../src/schema/index.js";
import { invokeTool } from "../../src/testing/index.js";
import { description, input, optional, required, returns, Tool, type ToolClass, ToolDefinitionError } from "../../src/tool/index.js";

/** A tool whose parameters are the fields of the class. */
function toolOf(Dto: new () => object): ToolClass {
  @description("Saves a note. Use when asked to.")
  class SaveTool extends Tool {
    @input(Dto) note!: object;

    call() {
      return { ...this.note };
    }
  }
  return SaveTool;
}

describe("a field that has rules alone, in a class in which another one has @required or @optional", () => {
  class NoteDto {
    @required(String) text!: string;
    @IsString() title!: string;
  }
  const message =
    "NoteDto.title: it has class-validator rules but isn't a parameter, so every call would break them. " +
    "If one field of a class has @required or @optional, the others need it too: add it, initialize the field, or remove the rules.";

  it("is refused with class, field and fix, because its rules would fail every call", () => {
    expect(() => toolOf(NoteDto).definition).toThrow(new ToolDefinitionError(message));
  });

  it("is refused in nested classes, in lists and among the choices of anyOf too", () => {
    @description("Saves a note. Use when asked to.")
    class OneTool extends Tool {
      @required(NoteDto) note!: NoteDto;

      call(): void {}
    }
    @description("Saves notes. Use when asked to.")
    class ListTool extends Tool {
      @required([NoteDto]) notes!: NoteDto[];

      call(): void {}
    }
    @description("Saves a note or a text. Use when asked to.")
    class ChoiceTool extends Tool {
      @required(anyOf(NoteDto, String)) note!: NoteDto | string;

      call(): void {}
    }
    for (const nested of [OneTool, ListTool, ChoiceTool]) expect(() => nested.definition).toThrow(message);
  });

  it("is refused in a base class, and whatever kind of value its rules want", () => {
    class Base {
      @IsInt() count!: number;
    }
    class Inheriting extends Base {
      @required(String) text!: string;
    }
    class Listing {
      @optional(String) text?: string;
      @IsArray() lines!: string[];
    }
    class Named {
      @required(String) text!: string;
      @IsNotEmpty() name!: unknown;
    }
    expect(() => toolOf(Inheriting).definition).toThrow("Inheriting.count: it has class-validator rules");
    expect(() => toolOf(Listing).definition).toThrow("Listing.lines: it has class-validator rules");
    expect(() => toolOf(Named).definition).toThrow("Named.name: it has class-validator rules");
  });

  it("is taken if the class fills it: by an initializer, its constructor or a getter", async () => {
    class FilledDto {
      @required(String) text!: string;
      @IsString() channel = "web";
      @IsInt() length: number;
      @IsString() get title() {
        return `Note: ${this.text}`;
      }
      constructor() {
        this.length = 7;
      }
    }
    expect(await invokeTool(toolOf(FilledDto), { text: "a" })).toEqual({ text: "a", channel: "web", length: 7 });
  });

  it("is taken if a @Transform fills it", async () => {
    class DerivedDto {
      @required(String) @Expose() text!: string;
      @IsString() @Expose() @Transform(({ obj }) => String(obj.text).toUpperCase()) title!: string;
    }
    expect(await invokeTool(toolOf(DerivedDto), { text: "a" })).toEqual({ text: "a", title: "A" });
  });

  it("is taken if its rules hold of nothing", async () => {
    class LooseDto {
      @required(String) text!: string;
      @IsOptional() @IsString() title?: string;
      @ValidateIf((note: LooseDto) => note.text === "") @IsString() reason?: string;
      @Allow() author?: string;
      @IsEmpty() password?: string;
      @IsNotIn(["spam"]) kind?: string;
    }
    expect(await invokeTool(toolOf(LooseDto), { text: "a" })).toEqual({ text: "a" });
  });

  it("is taken in what a tool returns: nothing runs its rules there", async () => {
    @description("Finds a note. Use when asked to.")
    @returns(NoteDto)
    class FindTool extends Tool {
      call() {
        return { text: "a" };
      }
    }
    expect(await invokeTool(FindTool, {})).toEqual({ text: "a" });
  });

  it("is left to the call if the constructor wants arguments", () => {
    class WantingDto {
      @required(String) text!: string;
      @IsString() title: string;
      constructor(title: { readonly words: readonly string[] }) {
        this.title = title.words.join(" ");
      }
    }
    expect(() => toolOf(WantingDto as unknown as new () => object).definition).not.toThrow();
  });
});

it("a field with rules that @Exclude leaves out is refused too", () => {
  class SecretDto {
    @IsString() text!: string;
    @IsString() @Exclude() token!: string;
  }
  expect(() => toolOf(SecretDto).definition).toThrow("SecretDto.token: it has class-validator rules but isn't a parameter");
});
