import { randomUUID } from 'node:crypto';
import { purchases } from '@agent-marketplace/core/db/tables/purchases.ts';
import { payments } from '@agent-marketplace/core/db/tables/sales.ts';
import { tabs, usdcPayments } from '@agent-marketplace/core/db/tables/usdc-payments.ts';
import type { Database } from '@agent-marketplace/core/kernel/ports/database.ts';
import { signVoucher, type TabAccount } from '@agent-marketplace/sdk';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { insertRows } from './insert-rows.ts';
import type { SentRequest } from './load.ts';
import { PRICE_CENTS, PRICED } from './purchased.ts';

/** More than one machine answers, so that no voucher comes again. */
export const VOUCHERS_A_SECOND = 1500;

/** Each is asked again only after all the others: vouchers of one tab are in order, and 16 requests are out at once. */
const TABS = 250;
const TAB_CENTS = 50_000;
const MICROS_PER_CENT = 10_000;
const BASE = 8453;
const DAY_MS = 24 * 60 * 60 * 1000;

export interface BenchTabs {
  /** Queries with vouchers that were not signed before. */
  signedQueries(count: number): Promise<SentRequest[]>;
}

/** Prepaid tabs of one payer, settled as far as the database knows, for what the wallet row buys. */
export async function openTabs(market: Database): Promise<BenchTabs> {
  const account = privateKeyToAccount(generatePrivateKey());
  const payer = account.address.toLowerCase() as `0x${string}`;
  const ids = Array.from({ length: TABS }, () => randomUUID());
  const now = new Date().toISOString();
  // Far enough for no job to look at them while they are measured.
  const later = new Date(Date.now() + DAY_MS).toISOString();
  await insertRows(
    market,
    purchases,
    ids.map((id) => ({
      id,
      listingId: PRICED,
      sellerId: PRICED,
      status: 'authorized',
      rail: 'x402',
      amountCents: TAB_CENTS,
      platformFeeCents: 0,
      feeScheduleVersion: 1,
      listingVersion: 1,
      createdAt: now,
    })),
  );
  await insertRows(
    market,
    payments,
    ids.map((purchaseId) => ({
      purchaseId,
      fingerprint: 'sha256:0',
      fulfilment: 'digital',
      holdHours: 48,
      dueAt: later,
      authorizedAt: now,
    })),
  );
  await insertRows(
    market,
    usdcPayments,
    ids.map((purchaseId) => ({
      purchaseId,
      chainId: BASE,
      payer,
      payTo: payer,
      units: String(TAB_CENTS * MICROS_PER_CENT),
      validAfter: '0',
      validBefore: '1',
      nonce: bytes32(),
      binding: 'sha256:0',
      settledBy: bytes32(),
    })),
  );
  await insertRows(
    market,
    tabs,
    ids.map((purchaseId) => ({
      purchaseId,
      payer,
      chainId: BASE,
      limitMicros: TAB_CENTS * MICROS_PER_CENT,
      expiresAt: later,
    })),
  );
  let signed = 0;
  return {
    signedQueries: (count) =>
      Promise.all(
        Array.from({ length: count }, async () => {
          const tabId = ids[signed % TABS] as string;
          const sequence = Math.floor(signed++ / TABS) + 1;
          const ceilingMicros = sequence * PRICE_CENTS * MICROS_PER_CENT;
          const voucher = { chainId: BASE, tabId, sequence, ceilingMicros };
          const body = JSON.stringify(await signVoucher(account as TabAccount, voucher));
          return { path: `/api/x402/tabs/${tabId}/queries`, body };
        }),
      ),
  };
}

const bytes32 = (): `0x${string}` => `0x${randomUUID().replaceAll('-', '').padEnd(64, '0')}`;
