import { commonErrors, Refusal } from '../../kernel/errors.ts';
import type { Upload } from '../../kernel/operation/call.ts';
import type { HttpBinding } from '../../kernel/operation/operation.ts';
import { clientAddressOf, rateKeyOf, wideNetworkOf } from '../../kernel/operation/rate-key.ts';
import type { FilesOfBody, Uploads } from '../../kernel/ports/uploads.ts';

export const DEFAULT_MAX_BODY_BYTES = 1024 * 1024;

/** NaN where the request does not say. */
export const declaredLength = (request: Request): number =>
  Number(request.headers.get('content-length') ?? Number.NaN);

export const tooLarge = (maxBytes: number, where = 'in all'): Refusal =>
  new Refusal(commonErrors.body_too_large, { detail: `Send at most ${maxBytes} bytes ${where}.` });

/** Of a body whose sender stopped, or lost the connection. */
export const cutOff = (): Refusal =>
  new Refusal(commonErrors.malformed_json, { detail: 'The body ended before all of it had arrived.' });

/** Whether a body with files may be more than this Worker reads: larger than others, or of unknown length. */
export function isUpload(request: Request, { files }: HttpBinding): boolean {
  return files !== undefined && request.body !== null && !(declaredLength(request) <= DEFAULT_MAX_BODY_BYTES);
}

export interface BodyUpload extends Upload {
  /** The body's text without its files, which are stored then. */
  receive(files: FilesOfBody): Promise<Uint8Array>;
}

/** Of base64: three bytes are four characters. */
const decodedBytes = (characters: number): number => Math.ceil((characters * 3) / 4);

/** Hands the body on unread. One of unknown length counts as the largest, one that is too large is not read at all. */
export function createUpload(request: Request, uploads: Uploads, maxBytes: number): BodyUpload {
  const declared = declaredLength(request);
  const counted = Number.isNaN(declared) ? maxBytes : declared > maxBytes ? 0 : declared;
  let stored: ReadonlyMap<string, number> = new Map();
  return {
    maxFileBytes: decodedBytes(counted),
    storedFiles: () => stored,
    async receive(files) {
      if (declared > maxBytes) throw tooLarge(maxBytes);
      if (request.body === null) return new Uint8Array();
      const limits = { maxBytes, maxTextBytes: DEFAULT_MAX_BODY_BYTES };
      const address = rateKeyOf(clientAddressOf(request.headers));
      const network = wideNetworkOf(address) ?? address;
      const received = await uploads.receive(request.body, files, limits, network);
      switch (received.kind) {
        case 'too_large':
          throw tooLarge(maxBytes);
        case 'text_too_large':
          throw tooLarge(DEFAULT_MAX_BODY_BYTES, 'beside the files');
        case 'cut_off':
          throw cutOff();
        case 'unavailable':
          throw new Refusal(commonErrors.service_unavailable, {
            detail: 'Attachments cannot be stored right now. Nothing was sent.',
            retryAfterSeconds: 5,
          });
        case 'read':
          stored = new Map(received.files.map(({ mark, sizeBytes }) => [mark, sizeBytes]));
          return received.text;
      }
    },
  };
}
