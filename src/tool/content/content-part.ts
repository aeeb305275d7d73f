/** The content, as base64 or as a URL that the provider reads. */
type FileData =
  | {
      /** The content as base64. */
      readonly data: string;
      readonly url?: undefined;
    }
  | {
      /** A URL that the provider reads. */
      readonly url: string;
      readonly data?: undefined;
    };

/** An image: `data` (base64) or `url`. Make it with `image` in a tool, and with `imagePart` from a path or URL. */
export type ImagePart = {
  readonly type: "image";
  /** Such as `image/png`. */
  readonly mediaType: string;
} & FileData;

/** A file: `data` (base64) or `url`. Make it with `file` in a tool, and with `filePart` from a path or URL. */
export type FilePart = {
  readonly type: "file";
  /** Such as `application/pdf`. */
  readonly mediaType: string;
  /** The name that some providers show to the model. */
  readonly filename?: string;
} & FileData;

/** A part of a user message or of a tool's result: a text, an image or another file. See docs/02-tools.md. */
export type ContentPart = { readonly type: "text"; readonly text: string } | ImagePart | FilePart;

/** An image or a PDF in a tool's result. It always has its bytes, as base64. See docs/02-tools.md. */
export type Attachment = (ImagePart | FilePart) & { readonly data: string };
