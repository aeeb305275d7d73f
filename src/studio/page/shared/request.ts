import { keepText, keptText } from "./kept-texts.js";

let token = "";

/** Takes the token out of the address, so that no history and no screenshot has it. It stays in this tab. */
export function takeToken(): void {
  const [, given] = /^#token=(.+)$/.exec(location.hash) ?? [];
  token = given ?? keptText("token") ?? "";
  if (given === undefined) return;
  keepText("token", given);
  history.replaceState(null, "", "#/tools");
}

const headers = (): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  "content-type": "application/json",
});

/** An error whose message the server or the page wrote for the person. */
export class RequestError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

async function send(path: string, body: object | undefined, signal: AbortSignal | undefined): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, {
      headers: headers(),
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new RequestError(
      0,
      "The studio doesn't answer. Its process may have ended: start it again, and open the address that it prints.",
    );
  }
  if (response.ok) return response;
  const { error } = (await response.json().catch(() => ({}))) as { readonly error?: string };
  throw new RequestError(response.status, error ?? `The studio answered with status ${response.status}.`);
}

/** The JSON that the API answers with: a GET without a body, else a POST. */
export async function ask<Answer>(path: string, body?: object, signal?: AbortSignal): Promise<Answer> {
  return (await (await send(path, body, signal)).json()) as Answer;
}

/** Milliseconds in which events are read at once. */
const longestWork = 8;

/** The events that the API sends, one by one. An abort of the signal ends the work on the server too. */
export async function* events<Event>(path: string, body: object | undefined, signal: AbortSignal): AsyncGenerator<Event, void> {
  const { body: stream } = await send(path, body, signal);
  if (stream === null) return;
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let unread = "";
  let begun = performance.now();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const frames = (unread + next.value).split("\n\n");
    unread = frames.pop() ?? "";
    for (const frame of frames) if (frame.startsWith("data: ")) yield JSON.parse(frame.slice("data: ".length)) as Event;
    if (performance.now() - begun < longestWork) continue;
    // A reader that gets thousands at once lets the page draw in between.
    await new Promise((resolve) => setTimeout(resolve));
    begun = performance.now();
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
