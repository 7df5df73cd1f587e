import { type KeySet, type SignedPostFailure, verifySignedPost } from '@agent-marketplace/sdk';
import { CliFailure } from '../frame/cli-failure.ts';
import type { Check } from './check-document.ts';

/** Why a message is not the marketplace's. Its age is no reason: it is told, and who looks at it decides. */
const DETAILS: Readonly<Record<Exclude<SignedPostFailure, 'stale'>, string>> = {
  not_signed: 'A header of the signature is missing or malformed.',
  body_mismatch: 'The body is not the one that was signed, to the byte.',
  unknown_key: 'The marketplace published no such key.',
  bad_signature: 'It was not signed for this callback URL.',
};

/**
 * Checks a POST of the marketplace that was kept as it came over HTTP: the headers, an empty line, the body to the byte.
 *
 * @param callbackUrl exactly as it was registered then.
 */
export async function verifyMessage(text: string, callbackUrl: string, keys: KeySet): Promise<Check> {
  const [, head = '', body = ''] = /^([\s\S]*?)\r?\n\r?\n([\s\S]*)$/.exec(text) ?? [];
  const post = { callbackUrl, headers: headersOf(head), body: new TextEncoder().encode(body) };
  const checked = await verifySignedPost(post, keys, { maxAgeSeconds: Number.POSITIVE_INFINITY });
  if (checked.valid) {
    const { keyId, sentAt } = checked;
    return { what: 'message', valid: true, keyId, signedAt: new Date(sentAt).toISOString() };
  }
  const { reason } = checked;
  return { what: 'message', valid: false, reason, detail: reason === 'stale' ? '' : DETAILS[reason] };
}

function headersOf(head: string): Headers {
  const headers = new Headers();
  for (const line of head.split(/\r?\n/)) {
    const [, name, value = ''] = /^([\w-]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
    if (name !== undefined) headers.set(name, value);
  }
  if ([...headers].length === 0)
    throw new CliFailure('usage', 'A message is its headers, an empty line, and its body, as they came.');
  return headers;
}
