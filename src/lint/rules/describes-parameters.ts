import type { Check } from "../finding.js";
import { parametersIn } from "../parameters-in.js";

/** A model fills a parameter by what its description says, and else by a guess from its name. */
export const describesParameters: Check = ({ parametersSchema }) =>
  parametersIn(parametersSchema)
    .filter(({ schemas }) => !schemas.some(({ description }) => typeof description === "string" && description.trim() !== ""))
    .map(({ path }) => ({
      message: `The parameter ${path} has no description, so that a model guesses from its name what belongs there.`,
      fix: `Say in the description of ${path} what belongs there, with its unit or form.`,
      parameter: path,
    }));
