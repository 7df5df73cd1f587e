import { isSameText } from '../agents/claim-link.rules.ts';

/** What a person's link to one purchase carries in place of a key: cut from a keyed hash of the purchase. */
export function pageTokenFrom(keyedHashHex: string): string {
  return keyedHashHex.slice(0, 32);
}

export function isPageToken(token: string, keyedHashHex: string): boolean {
  return isSameText(token, pageTokenFrom(keyedHashHex));
}
