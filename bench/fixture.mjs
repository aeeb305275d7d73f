/**
 * The one tool that every subject defines: five parameters, one of them nested, two with defaults.
 * A subject is a module in `subjects/` whose `make()` gives some of
 *
 *   calls     { object, text, signal, invalid }: functions that make one call; `textOf` reads what they resolve to
 *   deadline  { without, with }: one call each
 *   define    (index) => a new tool, distinct from the others, with its JSON Schema (where it makes one) under `parameters`
 *   builtIn   ({ directory }) => the calculator, a reader of files in the directory, and a reader of pages: { calculate, read, scrape }, promised
 *   turn      ({ steps, tools, delay }) => a function that makes one run against an in-process model
 */
export const name = "search_orders";
export const description = "Search the orders of a customer";
export const statuses = ["open", "shipped", "delivered", "cancelled"];
export const zipPattern = "^[0-9]{5}$";

export const validArguments = {
  customer: "acme",
  status: "shipped",
  tags: ["vip", "eu"],
  address: { street: "1 Main St", zip: "12345" },
};
export const validText = JSON.stringify(validArguments);
/** `limit` was left out: the 10 proves that its default was applied. */
export const expectedText = "acme:shipped:10:2:12345";

/** The required `customer` is missing, `limit` has the wrong type: an error text must name both. */
export const invalidArguments = {
  status: "shipped",
  limit: "ten",
  tags: ["vip", "eu"],
  address: { street: "1 Main St", zip: "12345" },
};

/** How often the tool's body ran, so that a run can be checked. */
export const counter = { calls: 0 };

export function searchOrders(input) {
  counter.calls += 1;
  return `${input.customer}:${input.status}:${input.limit}:${input.tags?.length ?? 0}:${input.address?.zip ?? ""}`;
}

export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export const jsonSchema = (suffix = "") => ({
  type: "object",
  additionalProperties: false,
  required: ["customer"],
  properties: {
    customer: { type: "string", minLength: 1, description: `Customer name${suffix}` },
    status: { type: "string", enum: [...statuses], default: "open", description: "Order status" },
    limit: { type: "integer", minimum: 1, maximum: 100, default: 10, description: "Most orders to return" },
    tags: { type: "array", items: { type: "string" }, description: "Tags" },
    address: {
      type: "object",
      additionalProperties: false,
      required: ["street", "zip"],
      properties: { street: { type: "string" }, zip: { type: "string", pattern: zipPattern } },
    },
  },
});

export const question = "Find the shipped orders of acme.";
export const answer = "done";

/**
 * The script of every in-process model, O(1) and without state: how many calls were made is read from the id of the
 * last one (`undefined` before the first). Gives the id of the next call, or `undefined` when the answer is due.
 */
export function nextCallId(lastCallId, steps) {
  const made = lastCallId === undefined ? 0 : Number(lastCallId.slice(4)) + 1;
  return made < steps ? `call${made}` : undefined;
}

/** Applies decorators to a member as compiled TypeScript does: the last one first. */
export function decorate(constructor, property, ...decorators) {
  for (const decorator of decorators.reverse()) decorator(constructor.prototype, property);
}
