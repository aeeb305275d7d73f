import { ModelError } from "../../models/index.js";
import { WebRequestError } from "../../web/internal.js";

/** Does some work. What a person asked for wrongly (a model that can't be made, a step that doesn't exist) is the request's error. */
export async function badRequest<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ModelError || error instanceof RangeError) throw new WebRequestError(400, error.message);
    throw error;
  }
}
