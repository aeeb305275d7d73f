import { invokeTool } from "../../src/testing/index.js";
import { CalculatorTool } from "../../src/tools/calculator/index.js";
import { describeData, readJson } from "../support/data.js";

interface ExpressionItem {
  readonly input: string | { readonly gen: "repeat"; readonly s: string; readonly n: number; readonly mid?: string; readonly end?: string };
  readonly expect: number | string;
  readonly why: string;
}

/** `{ gen: "repeat" }`: `s` n times, `mid`, then `end` n times. */
const generate = (input: ExpressionItem["input"]): string =>
  typeof input === "string" ? input : input.s.repeat(input.n) + (input.mid ?? "") + (input.end ?? "").repeat(input.n);

describeData(["hostile/expressions.json"], (path) => {
  const items = readJson<ExpressionItem[]>(path);

  it.each(items.map((item) => [`${JSON.stringify(item.input).slice(0, 60)} is ${item.expect}: ${item.why}`, item] as const))(
    "%s",
    async (_, { input, expect: expected }) => {
      const answer = invokeTool(CalculatorTool, { expression: generate(input) });
      if (typeof expected === "number") expect(await answer).toEqual({ result: expected });
      // The items propose codes; that there is no result, and words about it, is what matters.
      else await expect(answer).rejects.toMatchObject({ cause: { name: "CalculatorError" } });
    },
  );
});
