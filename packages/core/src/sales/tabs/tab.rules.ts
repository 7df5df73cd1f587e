import type { ChainToken, Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import type { tabQueries, tabs } from '../../db/tables/usdc-payments.ts';
import type { TypedMessage } from '../../kernel/ports/chain.ts';
import { DAY_MS, type EpochMs, epochOf } from '../../kernel/time.ts';
import { MICROS_PER_CENT } from '../../listings/price/price.rules.ts';

/** A prepaid tab: the payer's queries of one listing, until it is closed. Its id is that of its sale. */
export type Tab = Readonly<typeof tabs.$inferSelect>;

export type TabQuery = Readonly<typeof tabQueries.$inferSelect>;

/** How long after its payment vouchers are taken. */
export const TAB_MS = DAY_MS;

/** What its payer signs for one query. */
export interface Voucher {
  /** Higher than that of every voucher before. */
  readonly sequence: number;
  /** sha256 over the RFC 8785 form of the query. */
  readonly queryDigest: string;
  /** What all queries of the tab may cost together, this one included. Never lower than before. */
  readonly ceilingMicros: number;
}

const domainOf = ({ chainId }: ChainToken) => ({ name: 'Marketplace tab', version: '1', chainId });
const bytes = (hex: string): Hex => `0x${hex}`;
const idOf = (tabId: string): Hex => bytes(tabId.replaceAll('-', '').padEnd(64, '0'));

/** A voucher, as EIP-712 has it. */
export function typedVoucher(token: ChainToken, tabId: string, voucher: Voucher): TypedMessage {
  const { sequence, queryDigest, ceilingMicros } = voucher;
  return {
    domain: domainOf(token),
    primaryType: 'Voucher',
    types: {
      Voucher: [
        { name: 'tab', type: 'bytes32' },
        { name: 'sequence', type: 'uint256' },
        { name: 'query', type: 'bytes32' },
        { name: 'ceiling', type: 'uint256' },
      ],
    },
    message: {
      tab: idOf(tabId),
      sequence: BigInt(sequence),
      query: bytes(queryDigest.replace('sha256:', '')),
      ceiling: BigInt(ceilingMicros),
    },
  };
}

/** What its payer signs to close it. */
export function typedClosing(token: ChainToken, tabId: string): TypedMessage {
  return {
    domain: domainOf(token),
    primaryType: 'Close',
    types: { Close: [{ name: 'tab', type: 'bytes32' }] },
    message: { tab: idOf(tabId) },
  };
}

/** How the payment of a closed tab is divided. */
export interface Tally {
  /** What it is sold for. */
  readonly amountCents: number;
  /** What goes back. */
  readonly restCents: number;
  /** What was paid above what the queries cost. */
  readonly creditMicros: number;
}

/**
 * A closed tab is sold for its queries, rounded up to whole cents. What earlier tabs of its payer with this seller were
 * rounded up by (`earlierMicros`) pays for them first. A tab of which something was answered is sold for a cent at least.
 */
export function tallyOf(
  { chargedMicros, limitMicros }: Pick<Tab, 'chargedMicros' | 'limitMicros'>,
  earlierMicros: number,
): Tally {
  const amountCents = Math.max(1, Math.ceil((chargedMicros - earlierMicros) / MICROS_PER_CENT));
  return {
    amountCents,
    restCents: limitMicros / MICROS_PER_CENT - amountCents,
    creditMicros: earlierMicros + amountCents * MICROS_PER_CENT - chargedMicros,
  };
}

/** What a tallied tab was sold for. */
export function soldCents({ limitMicros, restCents }: Pick<Tab, 'limitMicros' | 'restCents'>): number {
  return limitMicros / MICROS_PER_CENT - restCents;
}

/** What of a tab goes back, with its gas; null: nobody knows yet, or it was never paid. Of one of which nothing was answered it is all. */
export function restCentsOf(
  tab: Pick<
    Tab,
    | 'chargedMicros'
    | 'closedAt'
    | 'expiresAt'
    | 'limitMicros'
    | 'reservedMicros'
    | 'restCents'
    | 'returnTransaction'
    | 'talliedAt'
  >,
): number | null {
  if (tab.talliedAt !== null) return tab.restCents;
  const isUnused =
    tab.closedAt !== null && tab.expiresAt !== null && tab.chargedMicros + tab.reservedMicros === 0;
  return isUnused || tab.returnTransaction !== null ? tab.limitMicros / MICROS_PER_CENT : null;
}

type ReturnedTab = Pick<
  Tab,
  'purchaseId' | 'returnGasCents' | 'returnId' | 'returnTransaction' | 'talliedAt'
>;

/**
 * What its payer bore of sending back what was left: of the price of one that was not used, and beside that of one that was
 * sold. Of several that went back together one bears it.
 */
export function gasOfReturn(tab: ReturnedTab | null): {
  readonly ofPrice: number;
  readonly besidePrice: number;
} {
  if (tab === null || tab.returnTransaction === null) return { ofPrice: 0, besidePrice: 0 };
  const { purchaseId, returnId, talliedAt } = tab;
  const gasCents = tab.returnGasCents ?? 0;
  if (talliedAt === null) return { ofPrice: gasCents, besidePrice: 0 };
  return { ofPrice: 0, besidePrice: returnId === purchaseId ? gasCents : 0 };
}

/** No voucher is taken any more. */
export function isTabOver(
  { closedAt, expiresAt }: Pick<Tab, 'closedAt' | 'expiresAt'>,
  now: EpochMs,
): boolean {
  return closedAt !== null || (expiresAt !== null && epochOf(expiresAt) <= now);
}

type VoucherFault =
  | 'tab_voucher_out_of_order'
  /** It could not pay for one query, had it never been used. */
  | 'tab_too_small'
  | 'tab_spent'
  | 'tab_ceiling_too_high'
  | 'tab_ceiling_too_low';

/** Why a voucher is not taken; null: it is, unless another one comes first. */
export function voucherFault(
  tab: Tab,
  { sequence, ceilingMicros }: Voucher,
  priceMicros: number,
): VoucherFault | null {
  if (sequence <= tab.sequence || ceilingMicros < tab.ceilingMicros) return 'tab_voucher_out_of_order';
  if (priceMicros > tab.limitMicros) return 'tab_too_small';
  const costMicros = tab.chargedMicros + tab.reservedMicros + priceMicros;
  if (costMicros > tab.limitMicros) return 'tab_spent';
  if (ceilingMicros > tab.limitMicros) return 'tab_ceiling_too_high';
  return costMicros > ceilingMicros ? 'tab_ceiling_too_low' : null;
}
