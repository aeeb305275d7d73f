import { noteOn, splitAtNotes } from "../../tool/internal.js";
import type { Attachment, ToolMessage } from "../message.js";
import type { AiSdkLanguageModel, AiSdkMessage, AiSdkResultContent, AiSdkToolResultPart, AiSdkUserPart } from "./language-model.js";

/** How a provider takes images and files of tools. */
export interface AttachmentRules {
  /** In the result itself, or in a user message after the results of the step. */
  readonly place: "result" | "user message";
  /** The media types that it reads there; the model reads of others that it isn't shown them. */
  readonly mediaTypes: RegExp;
  /** It rejects names of files that most files have; its package makes up others. */
  readonly namesFiles?: false;
}

const images = /^image\//;
const imagesAndPdf = /^(image\/|application\/pdf$)/;

/** By the provider and the model's id, as the rules of histories. docs/11-providers.md has the sources. Later rows win. */
const rows: readonly (readonly [RegExp, AttachmentRules])[] = [
  [/./, { place: "user message", mediaTypes: images }],
  [/^(openai|azure|mistral)[./]/, { place: "user message", mediaTypes: imagesAndPdf }],
  [/^(openai|azure)\.responses\//, { place: "result", mediaTypes: imagesAndPdf }],
  // Its package leaves files out of results.
  [/^xai\.responses\//, { place: "result", mediaTypes: images }],
  [/^google/, { place: "user message", mediaTypes: /^(image\/(png|jpeg|webp)|application\/pdf)$/ }],
  [/^google.*gemini-(?!1|2|pro(-vision)?$|robotics-er-1)/i, { place: "result", mediaTypes: /^(image\/(png|jpeg|webp)|application\/pdf)$/ }],
  [/^amazon-bedrock/, { place: "user message", mediaTypes: imagesAndPdf, namesFiles: false }],
  // Converse, "ToolResultContentBlock": images for these alone.
  [/^amazon-bedrock.*(claude|nova)/, { place: "result", mediaTypes: imagesAndPdf, namesFiles: false }],
  [/(^|\.)anthropic\./, { place: "result", mediaTypes: imagesAndPdf }],
];

const found = new Map<string, AttachmentRules>();

export function attachmentRulesOf({ provider, modelId, specificationVersion }: AiSdkLanguageModel): AttachmentRules {
  const key = `${provider}/${modelId}`;
  let rules = found.get(key);
  if (rules === undefined) {
    rules = rows.findLast(([pattern]) => pattern.test(key))?.[1] as AttachmentRules;
    found.set(key, rules);
  }
  // The packages for AI SDK 5 that aren't for one of these throw for files that are no image.
  const throwsForPdf = specificationVersion === "v2" && !/^(openai|azure|anthropic|google|mistral)/.test(provider);
  return throwsForPdf ? { ...rules, mediaTypes: images } : rules;
}

/** The attachments that the provider reads, in the order of their notes. None of a failure: it has a text alone. */
const shownOf = ({ attachments = [], errorType }: ToolMessage, { mediaTypes }: AttachmentRules): readonly Attachment[] =>
  errorType === undefined ? attachments.filter(({ mediaType }) => mediaTypes.test(mediaType)) : [];

/** A result with its attachments in it, or with a text that says where they are. */
export function resultOutput(message: ToolMessage, rules: AttachmentRules, specification: string): AiSdkToolResultPart["output"] {
  const { content, attachments = [], errorType } = message;
  if (errorType !== undefined) return { type: "error-text", value: content };
  if (attachments.length === 0) return { type: "text", value: content };
  const shown = shownOf(message, rules);
  const hidden = attachments.filter((attachment) => !shown.includes(attachment));
  const text = hidden.length === 0 ? content : `${content}\n${hidden.map(noteOn).join(" ")} can't be shown to this model.`;
  if (shown.length === 0) return { type: "text", value: text };
  if (rules.place === "user message") return { type: "text", value: `${text}\n${followsText(shown)}` };
  return { type: "content", value: splitAtNotes(text, shown).map((piece) => resultContent(piece, rules, specification)) };
}

const followsText = ({ length }: readonly Attachment[]): string =>
  length === 1 ? "The file follows in the next message." : `The ${length} files follow in the next message.`;

/** The form of each specification: v3 drops the parts of v2. */
function resultContent(piece: string | Attachment, rules: AttachmentRules, specification: string): AiSdkResultContent {
  if (typeof piece === "string") return { type: "text", text: piece };
  const { type, mediaType, data } = piece;
  const filename = type === "file" ? nameOf(piece, rules) : undefined;
  const named = filename === undefined ? {} : { filename };
  if (specification === "v2") return { type: "media", mediaType, data };
  if (specification !== "v3") return { type: "file", mediaType, ...named, data: { type: "data", data } };
  return type === "image" ? { type: "image-data", mediaType, data } : { type: "file-data", mediaType, ...named, data };
}

/** OpenAI rejects a file without a name. */
const nameOf = (
  { filename = "file.pdf" }: Extract<Attachment, { readonly type: "file" }>,
  { namesFiles }: AttachmentRules,
): string | undefined => (namesFiles === false ? undefined : filename);

/** The user message with the attachments of a step's results, for a provider whose results are texts. */
export function followingMessage(results: readonly ToolMessage[], rules: AttachmentRules, specification: string): AiSdkMessage | undefined {
  if (rules.place === "result") return undefined;
  const content = results.flatMap((message) =>
    shownOf(message, rules).flatMap((attachment): AiSdkUserPart[] => {
      const { type, mediaType, data } = attachment;
      const filename = type === "file" ? nameOf(attachment, rules) : undefined;
      const isTagged = specification !== "v2" && specification !== "v3";
      return [
        { type: "text", text: `From the result of the tool ${message.toolName}: ${noteOn(attachment)}` },
        { type: "file", mediaType, ...(filename !== undefined && { filename }), data: isTagged ? { type: "data", data } : data },
      ];
    }),
  );
  return content.length === 0 ? undefined : { role: "user", content };
}
