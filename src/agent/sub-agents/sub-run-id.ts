/** The id of a sub-agent's run: the same for each beginning of the call, so that its journal has what was done before a crash. */
export const subRunId = (runId: string, callId: string): string => `${runId}/${callId}`;
