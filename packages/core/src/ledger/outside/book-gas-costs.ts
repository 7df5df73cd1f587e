import type { Ports } from '../../kernel/ports/ports.ts';
import { isoTime } from '../../kernel/time.ts';
import { transferOf } from '../ledger.rules.ts';
import { post } from '../ledger.store.ts';
import { insertGasCost, isBookedAlready, lastGasCost } from './gas-costs.store.ts';

const WEI_PER_GWEI = 1_000_000_000n;

/**
 * Posts what the transactions of the platform's own account cost, as their receipts say: settlements, payouts, refunds,
 * and what was reverted or replaced. In gwei, rounded; the wei stand beside. Each is recorded and posted in one
 * transaction, once however often it is read. Returns how many there were.
 */
export async function bookGasCosts(
  ports: Pick<Ports, 'market' | 'chain' | 'clock' | 'ids'>,
): Promise<number> {
  const { market, chain, clock, ids } = ports;
  if (chain === null) return 0;
  const { chainId } = chain.token;
  const costs = (await chain.gasCosts(await lastGasCost(market, chainId))) ?? [];
  if (costs.length === 0) return 0;
  const at = isoTime(clock.now());
  try {
    await market.commit(
      costs.flatMap((cost) => {
        const amountCents = Number((cost.wei + WEI_PER_GWEI / 2n) / WEI_PER_GWEI);
        const movement = { into: 'gas', from: 'relayer_gas', amountCents };
        const posting = post(transferOf('gas', `${chainId}:${cost.transaction}`, movement), ids.uuid(), at);
        return [insertGasCost(chainId, cost, at), ...(amountCents === 0 ? [] : [posting])];
      }),
    );
  } catch (error) {
    // Another job was faster.
    if (!isBookedAlready(error)) throw error;
  }
  return costs.length;
}
