import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import type { TransferAuthorization } from '../../../kernel/ports/chain.ts';
import type { Rpc, RpcCall } from '../rpc.ts';
import { toQuantity } from '../rpc.ts';
import { EVENT, nonceTopics } from '../transfer-trace.rules.ts';
import { type Block, readBlock, readFoundEvents, readQuantity } from '../wire-reading.ts';

export type NonceEvent =
  | { readonly kind: 'used'; readonly transaction: Hex }
  | { readonly kind: 'void' }
  | { readonly kind: 'unavailable' };

interface Search {
  readonly latest: Block;
  readonly logRange: number;
  readonly seenAt?: number;
}

/** A transfer settled earlier than this before the payment was first presented is not accepted as its payment. */
const LOOK_BACK_SECONDS = 3600n;
/** At 2000 blocks of two seconds each, this covers four and a half days. */
const MAX_SEARCHES = 100;

/**
 * Finds how a nonce was used up, from the last block backwards, in steps that a provider permits. The
 * search ends where the transfer was not valid yet, or an hour before it was first seen. `void` needs
 * evidence: a cancellation, or a whole search by a node that has all the blocks which were searched.
 */
export async function findNonceEvent(
  rpc: Rpc,
  token: Hex,
  authorization: TransferAuthorization,
  { latest, logRange, seenAt }: Search,
): Promise<NonceEvent> {
  const lookBack = BigInt(seenAt ?? latest.seconds) - LOOK_BACK_SECONDS;
  const earliest = authorization.validAfter > lookBack ? authorization.validAfter : lookBack;
  const [payer, nonce] = nonceTopics(authorization);
  const kinds = [EVENT.authorizationUsed, EVENT.authorizationCanceled];
  let end = latest.number;
  for (let searches = 0; searches < MAX_SEARCHES; searches++) {
    const start = end >= BigInt(logRange) ? end - BigInt(logRange) + 1n : 0n;
    const range = { fromBlock: toQuantity(start), toBlock: toQuantity(end) };
    const calls: RpcCall[] = [
      { method: 'eth_blockNumber', params: [] },
      { method: 'eth_getLogs', params: [{ address: token, topics: [kinds, payer, nonce], ...range }] },
      { method: 'eth_getBlockByNumber', params: [range.fromBlock, false] },
    ];
    const answers = await rpc(calls);
    const found = readFoundEvents(answers?.[1]);
    const first = readBlock(answers?.[2]);
    const height = readQuantity(answers?.[0]);
    if (!found || !first || height === null) return { kind: 'unavailable' };
    const [event] = found;
    if (event?.topics[0] === EVENT.authorizationCanceled) return { kind: 'void' };
    if (event) return { kind: 'used', transaction: event.transaction };
    if (height < latest.number) return { kind: 'unavailable' };
    if (start === 0n || first.seconds <= earliest) return { kind: 'void' };
    end = start - 1n;
  }
  return { kind: 'unavailable' };
}
