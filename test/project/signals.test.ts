import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => ({ file, text: readFileSync(join("src", file), "utf8") }));

describe("the library's own code", () => {
  it("joins no signals by AbortSignal.any, which leaks on Node 20 and 22", () => {
    expect(sources.filter(({ text }) => text.includes("AbortSignal.any(")).map(({ file }) => file)).toEqual([]);
  });

  it("removes each listener that it adds to a signal", () => {
    const adding = sources.filter(({ text }) => text.includes('addEventListener("abort"'));
    expect(adding.filter(({ text }) => !text.includes('removeEventListener("abort"')).map(({ file }) => file)).toEqual([]);
  });
});
