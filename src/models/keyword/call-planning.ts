import type { ModelTool } from "../chat-model.js";
import { type Reading, readArguments } from "./argument-reading.js";
import { rankTools } from "./tool-choice.js";

/** A call that a sentence asks for, as far as it could be read. */
export interface PlannedCall {
  readonly tool: ModelTool;
  readonly reading: Reading;
}

interface ScoredCall extends PlannedCall {
  readonly score: number;
}

/** Less may be chance: one word of a description is not enough, one of the name or two others are. */
const leastEvidence = 2;

/** Only the tools whose words fit best are tried with the arguments. */
const shortList = 5;

/**
 * The words that a part of a text needs to count as a request, if it doesn't contain a tool's whole name: one of the name, and another of
 * the tool's words.
 */
const ownEvidence = 4;

/** Requests in one text are split here; a part that names no tool belongs to the one before. */
const boundary = /(?:(?<!\s)\s+)?[.;?!]\s+|(?:,|(?<!\s))\s+(?:and then|then|and also|and|also)\s+/i;

/**
 * The calls that a text asks for: several if its parts fit different tools and can be read in full, otherwise one, or none if no tool fits.
 * With `isForced`, the best one, even if it fits badly.
 */
export function planCalls(text: string, tools: readonly ModelTool[], now: Date, isForced: boolean): PlannedCall[] {
  const whole = bestCall(text, tools, now, isForced ? 0 : leastEvidence);
  if (whole === undefined) return [];
  const parts = requestsOf(text, tools);
  const names = new Set(parts.map(({ tool }) => tool.name));
  if (names.size < 2 || names.size < parts.length) return [whole];
  const calls = parts.flatMap((part) => bestCall(part.text, [part.tool], now, leastEvidence) ?? []);
  const isComplete = calls.length === parts.length && calls.every(({ reading }) => reading.missing.length === 0);
  return isComplete ? calls : [whole];
}

interface Part {
  readonly text: string;
  readonly tool: ModelTool;
}

function requestsOf(text: string, tools: readonly ModelTool[]): Part[] {
  const parts: Part[] = [];
  let lead = "";
  for (const piece of text.split(boundary)) {
    const best = rankTools(piece, tools)[0];
    const before = parts.at(-1);
    const isNew = best !== undefined && (best.isNamed || best.evidence >= ownEvidence) && best.tool !== before?.tool;
    if (isNew) parts.push({ text: `${lead}${piece}`, tool: best.tool });
    else if (before !== undefined) parts[parts.length - 1] = { ...before, text: `${before.text}, ${piece}` };
    else lead = `${piece}, `;
  }
  return parts;
}

function bestCall(text: string, tools: readonly ModelTool[], now: Date, least: number): ScoredCall | undefined {
  const scored = rankTools(text, tools)
    .filter(({ evidence }) => evidence >= least)
    .slice(0, shortList)
    .map(({ tool, score }) => {
      const reading = readArguments(text, tool.parameters, now);
      // A tool whose arguments are all there is more likely meant than one that would have to ask.
      const needed = tool.parameters.required?.length ?? 0;
      const found = needed === 0 ? 1 : Math.max(0, 1 - reading.missing.length / needed);
      return { tool, reading, score: score * (0.6 + 0.4 * found) };
    });
  return scored.reduce<ScoredCall | undefined>((best, call) => (best === undefined || call.score > best.score ? call : best), undefined);
}
