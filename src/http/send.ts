import type { ToolContext } from "../tool/index.js";
import { type ArgumentValues, buildRequest } from "./build-request.js";
import { dataOf, exchange, type HttpAnswer } from "./http-exchange.js";
import { HttpError } from "./http-error.js";
import { readPages } from "./paging.js";
import { pick } from "./pick.js";
import type { RequestPlan } from "./request-plan.js";

/** Makes the request of one call and gives the tool's result. Throws `HttpError`, `NetworkError`, or the signal's reason. */
export async function send(plan: RequestPlan, values: ArgumentValues, context: ToolContext): Promise<unknown> {
  const request = buildRequest(plan, values);
  const { response, paging } = plan;
  if (paging !== undefined) return readPages(request, paging, (answer) => pickFrom(answer, response.pick), context);
  const answer = await exchange(request, context);
  return pickFrom(answer, response.pick);
}

function pickFrom(answer: HttpAnswer, way: string | undefined): unknown {
  const { data, url } = answer;
  if (data === undefined || way === undefined) return dataOf(answer);
  const picked = pick(data, way);
  if (picked === undefined)
    throw new HttpError(`${new URL(url).host} answered without "${way}", which should hold the tool's result. Tell the user.`);
  return picked;
}
