import { sha256Hex } from '@agent-marketplace/protocol/crypto/digest.ts';
import { Refusal } from '../../errors.ts';
import { databaseFailure, isBookmark } from '../../ports/database.ts';
import { isPublicRead } from '../operation.ts';
import type { OperationRequest, RequestState } from '../request-state.ts';

/**
 * The request as a copy of the database near the reader answers it; null: the primary does. A caller whose key is looked up is
 * answered by the primary, where keys are: both reads share one round trip.
 */
export async function nearOf(
  request: OperationRequest,
  { keyHash, apiKey }: RequestState & { readonly keyHash: string | null; readonly apiKey: string | null },
): Promise<OperationRequest | null> {
  const { operation, runtime, call } = request;
  if (operation.lag === undefined || !isPublicRead(operation) || keyHash !== null) return null;
  const { ports } = runtime;
  const bookmark = laterOf(
    call.bookmark && isBookmark(call.bookmark) ? call.bookmark : null,
    apiKey === null ? null : ports.rateLimiter.keys.bookmarkOf(await sha256Hex(apiKey)),
  );
  const market = ports.market.near(bookmark);
  // The bookmark is of the market; what it led to in the index is on the primary at least.
  const search = bookmark === null ? ports.search?.near(null) : ports.search;
  return { ...request, runtime: { ...runtime, ports: { ...ports, market, search } } };
}

function laterOf(one: string | null, other: string | null): string | null {
  return (one ?? '') > (other ?? '') ? one : other;
}

/** What is decided on the primary: a copy may not know yet what exists, and may not reach what a bookmark asks for. */
export function isForPrimary(failure: unknown): boolean {
  if (failure instanceof Refusal) {
    const { kind } = failure.definition;
    return kind === 'not_found' || kind === 'gone';
  }
  return databaseFailure(failure)?.kind === 'unavailable';
}

/** A key that changed something reads its change from now on, wherever it reads. */
export function noteBookmark({ runtime }: OperationRequest, keyHash: string | null): void {
  const { market, rateLimiter } = runtime.ports;
  const bookmark = keyHash === null ? null : market?.bookmark();
  if (keyHash !== null && bookmark) rateLimiter.keys.noteBookmark(keyHash, bookmark);
}
