import { type Digest, sha256Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { comparableText } from './comparable-text.rules.ts';

/** What a listing's text is compared by with those that were blocked. */
export function textDigestOf(listing: {
  readonly title: string;
  readonly description: string;
}): Promise<Digest> {
  return sha256Digest(comparableText(listing));
}
