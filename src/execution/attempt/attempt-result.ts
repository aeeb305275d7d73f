import { hideSecretsIn } from "../../redaction/internal.js";
import type { ToolFailure, ToolResult } from "../../tool/index.js";
import { isToolResponse, timeoutMessage } from "../../tool/internal.js";
import { adviceOnStopped } from "../attempt-ledger.js";
import { capText } from "../result/cap.js";
import { cancelledBefore, capError, failed, invalidOutput, messageText, thrown } from "../result/failure.js";
import { readAsJson } from "../result/model-text.js";
import { readData } from "../result/read-data.js";
import { capData, toJson } from "../result/returned-value.js";
import type { ToolAttempt } from "./tool-attempt.js";

/** The result for what `call` returned: checked, turned into JSON, within the size allowed. */
export function resultOf({ call, fetchedAt }: ToolAttempt, returned: unknown): ToolResult {
  const { name, bound, origin } = call;
  const { maxResultBytes } = origin;
  const response = isToolResponse(returned) ? returned : undefined;
  if (response?.kind === "failure") {
    return failed(name, fetchedAt, response.errorType ?? "execution_error", capText(messageText(response.value), maxResultBytes));
  }
  let { data, size } = toJson(response === undefined ? returned : response.value, maxResultBytes, name);
  const { readOutput } = bound.plan;
  if (readOutput !== undefined) {
    const read = readData(data, readOutput, (output) => toJson(output, maxResultBytes, name));
    if (!read.ok) {
      const declaredBy = bound.plan.created === true ? "outputSchema" : "@returns";
      return capError(invalidOutput(name, fetchedAt, read.error, declaredBy), maxResultBytes);
    }
    ({ data, size } = read.value);
  }
  const asJson = response?.kind === "json" && typeof data === "string";
  data = capData(data, size, maxResultBytes);
  if (origin.byCode !== true) data = hideSecretsIn(data);
  const result: ToolResult = { tool: name, fetchedAt, data };
  return asJson ? readAsJson(result) : result;
}

/** The result for what `call` threw, or for the end of the waiting. */
export function failureOf({ call, fetchedAt, stopped, bodyStarted }: ToolAttempt, error: unknown): ToolFailure {
  const { name, origin, scope, timeout, definition } = call;
  if (stopped === "cancelled") {
    if (!bodyStarted) return cancelledBefore(name, scope.abortSignal);
    return failed(name, fetchedAt, "cancelled", `${cancelledMidway} ${adviceOnStopped(definition)}`, { cause: error });
  }
  if (stopped === "timed out") {
    const message = bodyStarted ? `${timeoutMessage(timeout)} ${adviceOnStopped(definition)}` : neverMade(timeout);
    return failed(name, fetchedAt, "timeout_error", message, { cause: error });
  }
  const failure = bodyStarted ? thrown(name, fetchedAt, error) : thrown(name, fetchedAt, error, "unhandled_error");
  return capError(failure, origin.maxResultBytes);
}

/** JavaScript can't stop the tool, so the message claims no more than was done. */
export const cancelledMidway = "Request was cancelled. The tool had started, and may have finished its work.";

const neverMade = (timeout: number): string => `The tool could not be made within its timeout of ${timeout} ms, and was not run.`;
