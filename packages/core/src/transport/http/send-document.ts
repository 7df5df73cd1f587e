import { sha256Hex } from '@agent-marketplace/protocol/crypto/digest.ts';
import { isKnown } from './if-none-match.ts';
import { CORS_HEADERS } from './respond.ts';

/** A document that is the same for everyone. */
export interface StoredDocument {
  readonly body: string | Uint8Array;
  readonly type: string;
  /** SHA-256, lower-case hex: of the body, or of the part of it that stays the same. */
  readonly hash: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Clients check again after five minutes, mostly for a 304. */
const CACHE_CONTROL = 'public, max-age=300';

export async function textDocument(
  body: string,
  type: string,
  options: Pick<StoredDocument, 'status' | 'headers'> = {},
): Promise<StoredDocument> {
  return { body, type, hash: await sha256Hex(body), ...options };
}

/** Answers with a document, or with 304 if the client has it. */
export function sendDocument(request: Request, document: StoredDocument, requestId: string): Response {
  const status = document.status ?? 200;
  const headers = {
    ...CORS_HEADERS,
    ...document.headers,
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
    'cache-control': status === 200 ? CACHE_CONTROL : 'no-store',
    etag: `W/"${document.hash}"`,
  };
  if (status === 200 && isKnown(request.headers.get('if-none-match'), document.hash)) {
    return new Response(null, { status: 304, headers });
  }
  return new Response(document.body as BodyInit, {
    status,
    headers: { ...headers, 'content-type': document.type },
  });
}
