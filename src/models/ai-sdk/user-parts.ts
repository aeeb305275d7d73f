import type { ContentPart } from "../message.js";
import type { AiSdkFileData, AiSdkUserPart } from "./language-model.js";

/** What a user says in the AI SDK's form, where an image is a file like any other. */
export function userParts(content: string | readonly ContentPart[], specification: string): AiSdkUserPart[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return content.map((part): AiSdkUserPart => {
    if (part.type === "text") return { type: "text", text: part.text };
    const { mediaType } = part;
    const filename = part.type === "file" ? part.filename : undefined;
    const data = part.url === undefined ? inData(part.data, specification) : atUrl(new URL(part.url), specification);
    return { type: "file", mediaType, ...(filename !== undefined && { filename }), data };
  });
}

const isTagged = (specification: string): boolean => specification !== "v2" && specification !== "v3";

const inData = (data: string, specification: string): AiSdkFileData => (isTagged(specification) ? { type: "data", data } : data);

const atUrl = (url: URL, specification: string): AiSdkFileData => (isTagged(specification) ? { type: "url", url } : url);
