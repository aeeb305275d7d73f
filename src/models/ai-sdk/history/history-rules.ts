import { isAnthropic } from "../claude-version.js";
import { changeRuleOf } from "../growing/change-rules.js";
import type { AiSdkLanguageModel } from "../language-model.js";
import { type CallIdForm, compatible, dashed, nineCharacters, upTo } from "./wire-call-ids.js";

/** What a provider demands of a history, beyond what the library keeps to anyway. docs/11-providers.md has the sources. */
export interface HistoryRules {
  /** The ids of calls that it takes. Left out: any. */
  readonly callIds?: CallIdForm;
  /** It takes blank texts of the model, which may hold a signature or the id of an item. */
  readonly keepsBlankTexts?: boolean;
  /** The first turn is the user's, and the model never has two turns in a row, nor the last one. */
  readonly alternates?: boolean;
  /** A message of the user never comes right after a tool's result. */
  readonly answersTools?: boolean;
  /** System messages stand before all others. */
  readonly systemFirst?: boolean;
  /** Those that come later stand between the messages of a user and the answer to them. */
  readonly systemBeforeAnswers?: boolean;
}

/**
 * By the provider and the model's id, `anthropic.messages/claude-opus-5`: a router, or a server that is compatible with another
 * provider, passes the history on to the provider of the model. Later rows win.
 */
const rows: readonly (readonly [RegExp, HistoryRules])[] = [
  [/./, { callIds: compatible }],
  [/^(openai|azure)[./]/, { callIds: upTo(40), keepsBlankTexts: true }],
  // Its stored calls are referred to by the ids that it gave, which are longer.
  [/^(openai|azure)\.responses\//, { callIds: upTo(64) }],
  [/^google/, { keepsBlankTexts: true, alternates: true, systemFirst: true }],
  [/^amazon-bedrock/, { callIds: dashed(64), alternates: true, systemFirst: true }],
  [/(^|\.)anthropic\.|claude/, { callIds: dashed(64), alternates: true, keepsBlankTexts: false }],
  [
    /^mistral|[/.](open-)?(mistral|mixtral|ministral|codestral|devstral|magistral|pixtral|voxtral)/i,
    { callIds: nineCharacters, alternates: true, answersTools: true, systemFirst: true },
  ],
];

const found = new Map<string, HistoryRules>();

export function historyRulesOf(model: AiSdkLanguageModel): HistoryRules {
  const { provider, modelId } = model;
  const key = `${provider}/${modelId}`;
  let rules = found.get(key);
  if (rules === undefined) {
    rules = Object.assign({}, ...rows.filter(([pattern]) => pattern.test(key)).map(([, row]) => row), systemRuleOf(model)) as HistoryRules;
    found.set(key, rules);
  }
  return rules;
}

/** Only the newest Claude models take late system messages. */
function systemRuleOf(model: AiSdkLanguageModel): HistoryRules {
  const rule = changeRuleOf(model);
  if (rule === "by_value" || rule === "by_reference") return { systemBeforeAnswers: true };
  return isAnthropic(model.provider) ? { systemFirst: true } : {};
}
