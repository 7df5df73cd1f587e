import { KEY_SCOPES, type KeyScope } from '../../kernel/operation/key-scopes.ts';
import { type EpochMs, type IsoTime, isoTime } from '../../kernel/time.ts';

export interface KeyLimits {
  readonly scopes: readonly KeyScope[];
  /** Null: until it is revoked. */
  readonly expiresAt: IsoTime | null;
}

/** Each scope once, in the order of the list; `all` stands alone. */
export function canonicalScopes(scopes: readonly KeyScope[]): readonly KeyScope[] {
  return scopes.includes('all') ? ['all'] : KEY_SCOPES.filter((scope) => scopes.includes(scope));
}

/** What of the wish is more than the key has that makes it. */
export function findWidening(of: KeyLimits, wish: KeyLimits): 'scopes' | 'expiresAt' | null {
  if (!of.scopes.includes('all') && !wish.scopes.every((scope) => of.scopes.includes(scope))) return 'scopes';
  if (of.expiresAt === null) return null;
  return wish.expiresAt === null || wish.expiresAt > of.expiresAt ? 'expiresAt' : null;
}

export type KeyState = 'live' | 'expired' | 'revoked';

export function stateOfKey(
  key: { readonly expiresAt: IsoTime | null; readonly revokedAt: IsoTime | null },
  now: EpochMs,
): KeyState {
  if (key.revokedAt !== null) return 'revoked';
  return key.expiresAt !== null && key.expiresAt <= isoTime(now) ? 'expired' : 'live';
}
