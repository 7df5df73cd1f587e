import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { type EpochMs, type IsoTime, isoTime } from '../../kernel/time.ts';
import {
  chooseDestination,
  type Destination,
  findPayoutRoutes,
  type SellerRoutes,
} from '../../payouts/index.ts';
import type { Sale } from '../sale.ts';
import type { PayoutTarget } from './pay-in-usdc.ts';

/** Where the sellers of these sales can be paid. */
export function findRoutes(
  ports: Pick<Ports, 'market' | 'clock'>,
  sales: readonly Sale[],
): Promise<Map<string, SellerRoutes>> {
  const now = ports.clock.now();
  const [since = isoTime(now)] = sales.map((sale) => dueAtOf(sale, now)).sort();
  return findPayoutRoutes(ports.market, [...new Set(sales.map(({ sellerId }) => sellerId))], since);
}

/** Where this sale is paid; null: nowhere yet. */
export function destinationOf(
  { chain, clock }: Pick<Ports, 'chain' | 'clock'>,
  routes: SellerRoutes | undefined,
  sale: Sale,
): Destination | null {
  if (routes === undefined) return null;
  const now = clock.now();
  const sum = { dueAt: dueAtOf(sale, now), wasRefused: (sale.transfer?.refusals ?? 0) > 0 };
  return chooseDestination(routes, sum, { now, chainId: chain?.token.chainId ?? null });
}

/** When its time in escrow was over: later attempts do not make it due later. */
export function dueAtOf({ payment }: Sale, now: EpochMs): IsoTime {
  return payment.holdUntil ?? isoTime(now);
}

/** A destination that is a wallet, as what is paid on chain. */
export function targetOf(sellerId: string, { destination, chainId }: Destination): PayoutTarget | null {
  return chainId === null ? null : { sellerId, chainId, address: destination as Hex };
}
