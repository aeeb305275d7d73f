import type { JsonSchema } from "../../schema/index.js";
import type { ModelTool } from "../chat-model.js";
import { meaningfulStems } from "./sentence-words.js";

/** A tool and how well the sentence fits it; 0 means that they share no word. */
export interface RankedTool {
  readonly tool: ModelTool;
  readonly score: number;
  /** The weights of the words they share, whatever the other tools have: whether the tool fits at all. */
  readonly evidence: number;
  /** Whether the sentence has every word of the tool's name. */
  readonly isNamed: boolean;
}

/** The weight of a word by its place in the tool. */
const weights = { name: 3, description: 1.5, parameter: 1, value: 1, parameterDescription: 0.5 } as const;

/**
 * The tools by how well they fit the sentence, best first; ties stay in the order given. A word that few of the
 * offered tools have counts more than one that all have.
 */
export function rankTools(sentence: string, tools: readonly ModelTool[]): RankedTool[] {
  const asked = new Set(meaningfulStems(sentence));
  const indexes = tools.map(indexOf);
  const rarity = (word: string): number => Math.log(1 + tools.length / indexes.filter((index) => index.has(word)).length);
  return tools
    .map((tool, position) => {
      const index = indexes[position] ?? new Map<string, number>();
      const shared = [...asked].filter((word) => index.has(word));
      const sum = (worth: (word: string) => number): number =>
        shared.reduce((total, word) => total + (index.get(word) ?? 0) * worth(word), 0);
      // Half of what a name says unasked counts against it: "weather" fits `get_weather` better than `get_weather_alerts`.
      const unasked = meaningfulStems(tool.name).filter((word) => !asked.has(word)).length;
      return { tool, score: sum(rarity) - 0.5 * unasked, evidence: sum(() => 1), isNamed: unasked === 0 };
    })
    .sort((a, b) => b.score - a.score);
}

/** Each word of a tool with its greatest weight. */
function indexOf(tool: ModelTool): Map<string, number> {
  const index = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const word of meaningfulStems(text)) index.set(word, Math.max(weight, index.get(word) ?? 0));
  };
  add(tool.name, weights.name);
  add(tool.description, weights.description);
  addParameters(tool.parameters, add);
  return index;
}

function addParameters(schema: JsonSchema, add: (text: string, weight: number) => void): void {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    add(name, weights.parameter);
    if (typeof property === "boolean") continue;
    if (typeof property.description === "string") add(property.description, weights.parameterDescription);
    for (const value of property.enum ?? []) if (typeof value === "string") add(value, weights.value);
    addParameters(property, add);
  }
}
