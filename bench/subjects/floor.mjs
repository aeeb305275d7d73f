/** The floor: what a careful person would write by hand for this one tool, with no library. */
import {
  answer,
  description,
  invalidArguments,
  jsonSchema,
  name,
  nextCallId,
  pause,
  question,
  searchOrders,
  statuses,
  validArguments,
  validText,
  zipPattern,
} from "../fixture.mjs";

const knownStatuses = new Set(statuses);
const knownKeys = new Set(["customer", "status", "limit", "tags", "address"]);
const zip = new RegExp(zipPattern);

function check(value) {
  const faults = [];
  if (typeof value !== "object" || value === null) return { faults: ["arguments must be an object"] };
  for (const key in value) if (!knownKeys.has(key)) faults.push(`${key} is not known`);
  let { customer, status, limit, tags, address } = value;
  if (customer === undefined) faults.push("customer is required");
  else if (typeof customer !== "string" || customer.length < 1) faults.push("customer must be a string of 1 character or more");
  if (status === undefined) status = "open";
  else if (!knownStatuses.has(status)) faults.push(`status must be one of: ${statuses.join(", ")}`);
  if (limit === undefined) limit = 10;
  else if (!Number.isInteger(limit) || limit < 1 || limit > 100) faults.push("limit must be an integer from 1 to 100");
  if (tags !== undefined && !(Array.isArray(tags) && tags.every((tag) => typeof tag === "string"))) faults.push("tags must be strings");
  if (address !== undefined) {
    if (typeof address !== "object" || address === null) faults.push("address must be an object");
    else {
      if (typeof address.street !== "string") faults.push("address.street must be a string");
      if (typeof address.zip !== "string" || !zip.test(address.zip)) faults.push(`address.zip must match ${zipPattern}`);
      address = { street: address.street, zip: address.zip };
    }
  }
  return { faults, value: { customer, status, limit, tags, address } };
}

async function call(input, body) {
  const { faults, value } = check(input);
  return faults.length > 0 ? faults.join("; ") : await body(value);
}

const body = async (input) => searchOrders(input);

/** What OpenAI's strict mode takes as it is; all else is told in the description. */
const strictKeywords = new Set(["type", "enum", "pattern", "minimum", "maximum", "description"]);

/** An object for OpenAI's strict mode: closed, all of its properties required, null for one that is left out. */
function strictObject({ properties, required }) {
  const strict = {};
  for (const name of Object.keys(properties)) {
    const part = strictPart(properties[name]);
    if (!required.includes(name)) {
      part.type = Object.freeze([part.type, "null"]);
      if (part.enum !== undefined) part.enum = Object.freeze([...part.enum, null]);
    }
    strict[name] = Object.freeze(part);
  }
  return { type: "object", properties: Object.freeze(strict), required: Object.freeze(Object.keys(strict)), additionalProperties: false };
}

function strictPart(schema) {
  if (schema.type === "object") return strictObject(schema);
  const part = {};
  let told;
  for (const key of Object.keys(schema)) {
    if (key === "items") part.items = Object.freeze(strictPart(schema.items));
    else if (strictKeywords.has(key)) part[key] = schema[key];
    else (told ??= {})[key] = schema[key];
  }
  if (told !== undefined) part.description = `${schema.description}\nJSON Schema: ${JSON.stringify(told)}`;
  return part;
}

/** The tool of a specification: the one of its name, description and schema, whether its objects are closed or not. */
function bound({ name, description, schema }, library) {
  const tool = library.get(name);
  return tool?.description === description && sameSchema(schema, tool.parameters) ? tool : undefined;
}

function sameSchema(left, right) {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  for (const key of Object.keys(left)) if (key !== "additionalProperties" && !sameSchema(left[key], right[key])) return false;
  for (const key of Object.keys(right)) if (key !== "additionalProperties" && !Object.hasOwn(left, key)) return false;
  return true;
}

/** One timer for all calls: a call adds itself to a set and takes itself out. */
function sharedDeadline(limit) {
  const waiting = new Set();
  let timer;
  const tick = () => {
    const now = Date.now();
    for (const entry of waiting) {
      if (entry.at > now) break;
      waiting.delete(entry);
      entry.reject(new Error("timeout"));
    }
    timer = waiting.size > 0 ? setTimeout(tick, 50).unref() : undefined;
  };
  return (work) =>
    new Promise((resolve, reject) => {
      const entry = { at: Date.now() + limit, reject };
      waiting.add(entry);
      if (timer === undefined) timer = setTimeout(tick, 50).unref();
      work().then(
        (value) => {
          waiting.delete(entry);
          resolve(value);
        },
        (error) => {
          waiting.delete(entry);
          reject(error);
        },
      );
    });
}

export function make() {
  const underDeadline = sharedDeadline(10_000);
  const readSignal = async (input) => {
    const { signal } = new AbortController();
    return signal.aborted ? "aborted" : searchOrders(input);
  };
  return {
    textOf: (result) => result,
    calls: {
      object: () => call(validArguments, body),
      text: () => call(JSON.parse(validText), body),
      signal: () => call(JSON.parse(validText), readSignal),
      invalid: () => call(invalidArguments, body),
    },
    deadline: {
      without: () => call(validArguments, body),
      with: () => underDeadline(() => call(validArguments, body)),
    },
    define: (index) => ({ name: `${name}_${index}`, description, parameters: jsonSchema(index), execute: body }),
    toProviderTools: (tools) =>
      tools.map((tool) => ({
        type: "function",
        function: {
          name: tool.name,
          description: tool.description,
          parameters: Object.freeze(strictObject(tool.parameters)),
          strict: true,
        },
      })),
    specification: (count) => {
      const library = new Map();
      for (let index = 0; index < count; index++) {
        const tool = { name: `${name}_${index}`, description, parameters: jsonSchema(index), execute: body };
        library.set(tool.name, tool);
      }
      const specifications = [...library.values()].map((tool) => ({
        name: tool.name,
        description,
        schema: JSON.parse(JSON.stringify(tool.parameters, (key, value) => (key === "additionalProperties" ? undefined : value))),
      }));
      return { specifications, bind: (specification) => bound(specification, library) };
    },
    turn: ({ steps, tools = 1, delay = 0 }) => {
      const run = delay > 0 ? (input) => pause(delay).then(() => searchOrders(input)) : body;
      const byName = new Map();
      for (let index = 0; index < tools; index++) {
        const toolName = index === 0 ? name : `${name}_${index}`;
        byName.set(toolName, { name: toolName, description, parameters: jsonSchema(index), execute: (input) => call(input, run) });
      }
      const offered = [...byName.values()].map(({ execute, ...offer }) => offer);
      const model = async ({ messages }) => {
        const id = nextCallId(messages[messages.length - 1].toolCallId, steps);
        return id === undefined ? { text: answer } : { toolCalls: [{ id, name, arguments: validText }] };
      };
      return async () => {
        const messages = [{ role: "user", content: question }];
        for (;;) {
          const { text, toolCalls } = await model({ messages, tools: offered });
          messages.push({ role: "assistant", content: text, toolCalls });
          if (toolCalls === undefined) return text;
          for (const toolCall of toolCalls) {
            const content = await byName.get(toolCall.name).execute(JSON.parse(toolCall.arguments));
            messages.push({ role: "tool", toolCallId: toolCall.id, content });
          }
        }
      };
    },
  };
}
