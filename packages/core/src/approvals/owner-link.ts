import type { KeyedHash } from '../kernel/ports/keyed-hash.ts';
import type { IsoTime } from '../kernel/time.ts';

interface OwnerLink {
  readonly purpose: 'approval_mail' | 'passkey_mail';
  /** Of what the link opens. */
  readonly id: string;
  /** When the agent's address was verified: with another address, the links to this one end. Null: it has none. */
  readonly verifiedAt: IsoTime | null;
}

const textOf = ({ id, verifiedAt }: OwnerLink) => `${id}\n${verifiedAt}`;

/** What only the reader of the verified address is given. No secret is stored: it is a keyed hash. */
export function ownerToken(keyedHash: KeyedHash, link: OwnerLink): Promise<string> {
  return keyedHash.token(link.purpose, textOf(link));
}

export async function isOwnerToken(keyedHash: KeyedHash, link: OwnerLink, token: string): Promise<boolean> {
  return link.verifiedAt !== null && keyedHash.isToken(link.purpose, textOf(link), token);
}
