import { hideSecretsIn } from "../../redaction/internal.js";
import type { ToolFailure, ToolResult } from "../../tool/index.js";
import { isToolResponse, timeoutMessage } from "../../tool/internal.js";
import { adviceOnStopped } from "../attempt-ledger.js";
import { capText } from "../result/cap.js";
import { checkAttachments, keepReturned } from "../result/attachments.js";
import { cancelledBefore, capError, failed, invalidFiles, invalidOutput, messageText, thrown } from "../result/failure.js";
import { readAsJson } from "../result/model-text.js";
import { readData } from "../result/read-data.js";
import { capData, readReturned, toJson } from "../result/returned-value.js";
import type { PreparedCall } from "../preparation/prepared-call.js";
import { timeToStart, type ToolAttempt } from "./tool-attempt.js";

/** The result for what `call` returned: checked, turned into JSON, within the size allowed. */
export function resultOf({ call, fetchedAt }: ToolAttempt, returned: unknown): ToolResult {
  const { name, bound, origin } = call;
  const { maxResultBytes } = origin;
  const response = isToolResponse(returned) ? returned : undefined;
  if (response?.kind === "failure") {
    return failed(name, fetchedAt, response.errorType ?? "execution_error", capText(messageText(response.value), maxResultBytes));
  }
  const { readOutput } = bound.plan;
  const read = readReturned(response === undefined ? returned : response.value, maxResultBytes, name, readOutput !== undefined);
  if (read.faults !== undefined) return capError(invalidFiles(name, fetchedAt, read.faults), maxResultBytes);
  const given = response?.attachments === undefined ? undefined : checkAttachments(response.attachments);
  if (given !== undefined && given.faults.length > 0) return capError(invalidFiles(name, fetchedAt, given.faults), maxResultBytes);
  const attachments = read.attachments ?? given?.attachments;
  let { data, size } = read;
  if (readOutput !== undefined && read.isBare !== true) {
    const checked = readData(data, readOutput, (output) => toJson(output, maxResultBytes, name));
    if (!checked.ok) {
      const declaredBy = bound.plan.created === true ? "outputSchema" : "@returns";
      return capError(invalidOutput(name, fetchedAt, checked.error, declaredBy), maxResultBytes);
    }
    ({ data, size } = checked.value);
  }
  const asJson = response?.kind === "json" && typeof data === "string" && attachments === undefined;
  data = capData(data, size, maxResultBytes);
  if (origin.byCode !== true) data = hideSecretsIn(data);
  if (given !== undefined) keepReturned({ ...given, items: [data], isSingle: true }, data);
  const result: ToolResult = attachments === undefined ? { tool: name, fetchedAt, data } : { tool: name, fetchedAt, data, attachments };
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
    const message = bodyStarted ? `${timeoutMessage(timeout)} ${adviceOnStopped(definition)}` : neverMade(call, timeout);
    return failed(name, fetchedAt, "timeout_error", message, { cause: error });
  }
  if (stopped === "crashed") {
    const { errorType, error: message } = thrown(name, fetchedAt, error);
    return failed(name, fetchedAt, errorType, `${message} It may have taken effect. ${adviceOnStopped(definition)}`, { cause: error });
  }
  const failure = bodyStarted ? thrown(name, fetchedAt, error) : thrown(name, fetchedAt, error, "unhandled_error");
  return capError(failure, origin.maxResultBytes);
}

/** JavaScript can't stop the tool, so the message claims no more than was done. */
export const cancelledMidway = "Request was cancelled. The tool had started, and may have finished its work.";

const neverMade = ({ bound, definition }: PreparedCall, timeout: number): string =>
  bound.isElsewhere === true
    ? `The tool's ${definition.isolated?.in} wasn't ready after ${timeout + timeToStart} ms, so the tool was not run.`
    : `The tool could not be made within its timeout of ${timeout} ms, and was not run.`;
