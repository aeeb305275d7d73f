import { attachTools } from "../../src/agent/attached-tools.js";
import { createTool, type ToolClass } from "../../src/tool/index.js";

const toolNamed = (name: string, more: object = {}): ToolClass =>
  createTool({ name, description: "For tests.", inputSchema: { type: "object" }, execute: () => name, ...more });

const open = toolNamed("open");
const remove = toolNamed("remove", { access: { roles: ["admin"] } });

describe("the tools of an agent class", () => {
  it("are made ready once for each set of permissions, also if users take turns", () => {
    class DeskAgent {}
    const attach = (...roles: string[]) => attachTools(DeskAgent, [open, remove], { roles }, undefined, "DeskAgent", undefined);
    const [user, admin] = [attach(), attach("admin")];
    expect(admin.classes).toEqual([open, remove]);
    expect(user.classes).toEqual([open]);
    expect([attach(), attach("admin"), attach()]).toEqual([user, admin, user]);
    expect([attach() === user, attach("admin") === admin]).toEqual([true, true]);
  });

  it("are kept for eight lists, the last used", () => {
    class DeskAgent {}
    const lists = Array.from({ length: 9 }, (_, index) => [toolNamed(`tool_${index}`)]);
    const attach = (index: number) => attachTools(DeskAgent, lists[index] ?? [], {}, undefined, "DeskAgent", undefined);
    const made = lists.map((_, index) => attach(index));
    expect(attach(1)).toBe(made[1]);
    expect(attach(0)).not.toBe(made[0]);
  });

  it("of a frozen list are read once", () => {
    class DeskAgent {}
    let reads = 0;
    const counted = new Proxy(toolNamed("counted"), {
      get: (target, member, receiver) => {
        if (member === "definition") reads += 1;
        return Reflect.get(target, member, receiver);
      },
    });
    const list = Object.freeze([counted]);
    const attach = () => attachTools(DeskAgent, list, {}, undefined, "DeskAgent", undefined);
    const first = attach();
    const before = reads;
    expect([attach() === first, reads]).toEqual([true, before]);
  });
});
