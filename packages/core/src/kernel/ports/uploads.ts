/** Where a JSON body has files in base64: the member `content` of the objects in the list `list` at its top. */
export interface FilesOfBody {
  readonly list: string;
  readonly content: string;
  /** Further ones are not stored. */
  readonly maxFiles: number;
  /** Of one file, decoded. */
  readonly maxFileBytes: number;
  /** Of one file's text, line breaks included. */
  readonly maxCharacters: number;
}

/** A file that was taken out of a body. */
export interface ReceivedFile {
  /** What stands in the body in its place; no base64. */
  readonly mark: string;
  readonly sizeBytes: number;
}

export type ReceivedBody =
  /** The JSON text without the files, unchecked otherwise; each file is stored under its SHA-256. */
  | { readonly kind: 'read'; readonly text: Uint8Array; readonly files: readonly ReceivedFile[] }
  | { readonly kind: 'too_large' }
  /** What is left of the body without the files. */
  | { readonly kind: 'text_too_large' }
  /** Its sender stopped before its end. */
  | { readonly kind: 'cut_off' }
  /** The store is, or too many bodies are being read, or this one took too long to arrive. */
  | { readonly kind: 'unavailable' };

export interface UploadLimits {
  readonly maxBytes: number;
  /** Of the text without the files. */
  readonly maxTextBytes: number;
}

/** Reads large bodies where no money is, and stores their files. Never throws. */
export interface Uploads {
  /** `network` is who sends it: one has only its part of the bodies that are read at once. */
  receive(
    body: ReadableStream<Uint8Array>,
    files: FilesOfBody,
    limits: UploadLimits,
    network: string,
  ): Promise<ReceivedBody>;
}
