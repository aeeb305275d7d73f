import "reflect-metadata";
import { Exclude, Expose, Transform, Type } from "class-transformer";
import { IsInt, IsNumber, IsString, ValidateNested } from "class-validator";
import { z } from "zod";
import { invokeTool } from "../../src/testing/index.js";
import { description, optional, required, returns, Tool } from "../../src/tool/index.js";

const made = <Type extends object>(constructor: new () => Type, members: object): Type => Object.assign(new constructor(), members);

class Role {
  @IsString() name!: string;
}
class UserDto {
  @IsInt() id!: number;
  @Exclude() @IsString() password!: string;
  @Exclude({ toClassOnly: true }) @IsString() createdBy!: string;
  @Expose({ name: "full_name" }) @IsString() fullName!: string;
  @Transform(({ value }) => value.toFixed(2), { toPlainOnly: true }) @IsNumber() balance!: number;
  @Transform(({ value }) => value.name) @ValidateNested() @Type(() => Role) role!: Role;
  @Expose({ groups: ["staff"] }) @IsString() note!: string;
  @Expose() get initial(): string {
    return this.fullName.slice(0, 1);
  }
}
const user = (): UserDto =>
  made(UserDto, {
    id: 1,
    password: "hidden",
    createdBy: "import",
    fullName: "Ann Lee",
    balance: 1.5,
    role: made(Role, { name: "admin" }),
    note: "n",
  });
const shown = { id: 1, createdBy: "import", full_name: "Ann Lee", balance: "1.50", role: "admin", initial: "A" };

describe("@returns(Dto) accepts what class-transformer makes of the DTO's instances", () => {
  it("without excluded fields, with renamed, transformed and exposed ones", async () => {
    @description("Finds a user.")
    @returns(UserDto)
    class FindUserTool extends Tool {
      call(): UserDto {
        return user();
      }
    }
    await expect(invokeTool(FindUserTool, {})).resolves.toEqual(shown);
    const { properties, required: asked } = FindUserTool.definition.outputSchema as { properties: object; required: string[] };
    expect(Object.keys(properties).sort()).toEqual(Object.keys(shown).sort());
    expect(asked).toEqual(["id", "createdBy", "full_name"]);
  });

  it("in lists and inside other classes", async () => {
    class Page {
      @required([UserDto]) users!: UserDto[];
      @required(UserDto) first!: UserDto;
    }
    @description("Finds users.")
    @returns(Page)
    class FindUsersTool extends Tool {
      call(): Page {
        return made(Page, { users: [user()], first: user() });
      }
    }
    await expect(invokeTool(FindUsersTool, {})).resolves.toEqual({ users: [shown], first: shown });
  });

  it("in a class of the library's own decorators", async () => {
    @Exclude()
    class Account {
      @Expose() @required(String) iban!: string;
      @Expose({ name: "owner_name" }) @required(String) owner!: string;
      @required(String) secret!: string;
      @Expose() @optional(z.string().min(1)) remark?: string;
    }
    @description("Finds an account.")
    @returns(Account)
    class FindAccountTool extends Tool {
      @required(String) remark!: string;
      call(): Account {
        return made(Account, { iban: "DE1", owner: "Ann", secret: "hidden", remark: this.remark });
      }
    }
    await expect(invokeTool(FindAccountTool, { remark: "ok" })).resolves.toEqual({ iban: "DE1", owner_name: "Ann", remark: "ok" });
    await expect(invokeTool(FindAccountTool, { remark: "" })).rejects.toThrow(/remark/);
  });

  it("rejects a plain object with an excluded field, instead of showing it", async () => {
    class Profile {
      @IsString() name!: string;
      @Exclude() @IsString() ssn!: string;
    }
    @description("Finds a profile.")
    @returns(Profile)
    class FindProfileTool extends Tool {
      call(): Profile {
        return { name: "Ann", ssn: "hidden" };
      }
    }
    await expect(invokeTool(FindProfileTool, {})).rejects.toThrow(/ssn/);
  });

  it("still checks what the decorators leave", async () => {
    @description("Finds a user.")
    @returns(UserDto)
    class FindUserTool extends Tool {
      call(): UserDto {
        return made(UserDto, { ...user(), id: "one" });
      }
    }
    await expect(invokeTool(FindUserTool, {})).rejects.toThrow(/id must be an integer/);
  });
});
