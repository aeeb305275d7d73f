/**
 * An agent that asks its user in the middle of a run. `npm run example -- ask-user` plays a page that shows the questions and posts the answers.
 */
import type { AddressInfo } from "node:net";
import { answer, type Question } from "toolwright";
import { serve } from "./ask-user/server.js";

const server = await serve(0);
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** What the page reads of a run, or an error. */
interface Reply {
  readonly runId: string;
  readonly text?: string;
  readonly error?: string;
  readonly questions?: readonly Question[];
}

async function post(path: string, body: unknown): Promise<Reply> {
  const response = await fetch(url + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Reply;
}

console.log("-- The page sends the prompt, and shows what the agent asks");
const { runId, questions = [] } = await post("/chat", { prompt: "I want a bike." });
for (const { tool, input, answerSchema } of questions) {
  console.log(`   ${tool} ${JSON.stringify(input)}, answer: ${String(answerSchema.type)}`);
}

const [colour, place] = questions;
if (colour === undefined || place === undefined) throw new Error("The agent asked for something else.");

console.log("\n-- A place that isn't on the map is rejected, and nothing is lost");
const decisions = [answer(colour, "blue"), answer(place, { latitude: 148.85, longitude: 2.35 })];
console.log(`   ${(await post("/answers", { runId, decisions })).error}`);

console.log("\n-- The user answers one question, and the other later");
const half = await post("/answers", { runId, decisions: [answer(colour, "blue")] });
console.log(`   still open: ${half.questions?.map(({ tool }) => tool).join(", ")}`);
const whole = await post("/answers", { runId, decisions: [answer(place, { latitude: 48.85, longitude: 2.35 })] });
console.log(`   Agent: ${whole.text}`);

console.log("\n-- An answer counts once");
console.log(`   ${(await post("/answers", { runId, decisions: [answer(colour, "red")] })).error?.replace(runId, "...")}`);

server.close();
