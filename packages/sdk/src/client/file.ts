import { sha256Hex } from '../crypto.ts';
import type { MarketplaceFile } from '../generated/api.ts';
import { MarketplaceError } from './errors.ts';

/**
 * Checks that a file arrived complete, by the digest in its header. Only the signed answer that named the
 * file proves where the digest comes from.
 *
 * @throws MarketplaceError if the bytes are not those that the headers name.
 */
export async function fileOf(bytes: Uint8Array, headers: Headers, status: number): Promise<MarketplaceFile> {
  const sha256 = await sha256Hex(bytes);
  if (headers.get('x-content-sha256') !== sha256) {
    throw new MarketplaceError({
      code: 'unexpected_response',
      message: 'The file does not have the SHA-256 that its header names.',
      status,
      retryable: true,
      requestId: headers.get('x-request-id'),
      headers,
      idempotencyKey: null,
    });
  }
  const contentType = headers.get('content-type') ?? 'application/octet-stream';
  return { bytes, contentType, filename: filenameOf(headers.get('content-disposition') ?? ''), sha256 };
}

/** RFC 6266, as the marketplace writes it. */
function filenameOf(disposition: string): string | null {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  if (encoded === undefined) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}
