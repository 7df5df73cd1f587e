import type { KeyedHash } from '../../kernel/ports/keyed-hash.ts';
import { linkWithCode } from '../../mail/index.ts';
import { linkTokenFrom, parseLinkToken } from './mailed-link.rules.ts';

type LinkPurpose = 'email_link' | 'recovery_link';
type LinkPorts = { readonly keyedHash: KeyedHash };

/** A page that only the reader of a mailbox is sent to. No secret is stored: the token is a keyed hash. */
export async function mailedPage(
  { keyedHash }: LinkPorts,
  place: { readonly baseUrl: string; readonly siteUrl: string | null },
  { purpose, id }: { readonly purpose: LinkPurpose; readonly id: string },
): Promise<string> {
  const site = place.siteUrl ?? new URL(place.baseUrl).origin;
  const path = purpose === 'email_link' ? 'verify-email' : 'recover/link';
  return linkWithCode(`${site}/${path}`, linkTokenFrom({ id, mac: await keyedHash.token(purpose, id) }));
}

/** The id that a token opens; null for a forged one. Whether the link still works is its row's to say. */
export async function openMailedLink(
  { keyedHash }: LinkPorts,
  purpose: LinkPurpose,
  token: string,
): Promise<string | null> {
  const sent = parseLinkToken(token);
  if (sent === null) return null;
  return (await keyedHash.isToken(purpose, sent.id, sent.mac)) ? sent.id : null;
}
