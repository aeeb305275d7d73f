import { readFileSync } from "node:fs";
import { doors } from "./doors.js";
import { features } from "./features.js";

describe("case 61: a tool is the same through every door", () => {
  describe.each(features)("$name", ({ check, except }) => {
    it.each(doors)("through $name", async (door) => {
      await (except?.[door.name]?.check ?? check)(door);
    });
  });
});

it("the table of docs/17-coming-from.md shows the same", () => {
  expect(readFileSync("docs/17-coming-from.md", "utf8")).toContain(table());
});

/** Which feature holds through which door, as Markdown: the notes below the table are numbered as they come. */
function table(): string {
  const notes: string[] = [];
  const rows = features.map(({ name, except }) => {
    const cells = doors.map((door) => {
      const note = except?.[door.name]?.note;
      if (note === undefined) return "yes";
      if (!notes.includes(note)) notes.push(note);
      return `note ${notes.indexOf(note) + 1}`;
    });
    return `| ${[name, ...cells].join(" | ")} |`;
  });
  const head = ["", ...doors.map(({ name }) => name)];
  return [
    `| ${head.join(" | ")} |`,
    `| ${head.map(() => "---").join(" | ")} |`,
    ...rows,
    "",
    ...notes.map((note, index) => `${index + 1}. ${note}`),
  ].join("\n");
}
