import { setTimeout as sleep } from "node:timers/promises";
import { createTool, description, file, identifier, image, requiresConfirmation, Tool, type ToolContext } from "../../../../src/index.js";
import { pdf, png } from "../../../support/pictures.js";

/** The tools that the official conformance suite asks a server for, as far as tools are what it asks for. */

@identifier("test_simple_text")
@description("Returns a text.")
class SimpleText extends Tool {
  call() {
    return "This is a simple text response for testing.";
  }
}

@identifier("test_error_handling")
@description("Fails.")
class ErrorHandling extends Tool {
  call() {
    throw new Error("This tool intentionally returns an error for testing");
  }
}

@identifier("test_tool_with_progress")
@description("Reports progress three times.")
class WithProgress extends Tool {
  async call({ progress }: ToolContext) {
    for (const fraction of [0, 0.5, 1]) {
      progress(fraction, `${fraction * 100} of 100`);
      await sleep(50);
    }
    return "done";
  }
}

@identifier("test_logging_tool")
@description("Writes to the log.")
class Logging extends Tool {
  call({ log }: ToolContext) {
    log.info("for the application, not for the client");
    return "logged";
  }
}

const jsonSchema202012 = createTool({
  name: "json_schema_2020_12_tool",
  description: "Tool with JSON Schema 2020-12 features",
  inputSchema: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    $defs: {
      address: { $anchor: "addressDef", type: "object", properties: { street: { type: "string" }, city: { type: "string" } } },
    },
    properties: {
      name: { type: "string" },
      address: { $ref: "#/$defs/address" },
      contactMethod: { type: "string", enum: ["phone", "email"] },
      phone: { type: "string" },
      email: { type: "string" },
    },
    allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
    if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ["phone"] },
    else: { required: ["email"] },
    additionalProperties: false,
  },
  execute: () => "ok",
});

const customHeader = createTool({
  name: "test_custom_header",
  description: "Takes a parameter that clients repeat in a header.",
  inputSchema: { type: "object", properties: { region: { type: "string", "x-mcp-header": "Region" } }, required: ["region"] },
  execute: ({ region }) => String(region),
});

const returning = (name: string, result: unknown) =>
  createTool({
    name,
    description: "Returns what a test looks for.",
    inputSchema: { type: "object", properties: {} },
    execute: () => result,
  });

const picture = image(png(), "image/png");
const document = file(pdf(), "application/pdf", "test.pdf");
const files = [
  returning("test_image_content", picture),
  returning("test_embedded_resource", document),
  returning("test_multiple_content_types", ["Multiple content types test:", picture, document]),
];

/** What the suite asks of input requests is tried with calls that ask for a confirmation. */
const gated = ["elicitation", "request_state", "tampered_state", "capabilities", "validate"].map((name) => {
  @identifier(`test_input_required_result_${name}`)
  @description("Asks for a confirmation first.")
  @requiresConfirmation()
  class Gated extends Tool {
    call() {
      return "confirmed";
    }
  }
  return Gated;
});

@identifier("test_streaming_elicitation")
@description("Asks for a confirmation first.")
@requiresConfirmation()
class StreamingElicitation extends Tool {
  call() {
    return "confirmed";
  }
}

/** `toolsChanged` is what the hook of the suite for changes of the list calls. */
export const conformanceTools = (toolsChanged: () => void) => [
  SimpleText,
  ErrorHandling,
  WithProgress,
  Logging,
  jsonSchema202012,
  customHeader,
  ...files,
  ...gated,
  StreamingElicitation,
  createTool({
    name: "test_trigger_tool_change",
    description: "Says that the list of tools changed.",
    inputSchema: { type: "object", additionalProperties: false },
    execute: () => {
      toolsChanged();
      return "changed";
    },
  }),
];
