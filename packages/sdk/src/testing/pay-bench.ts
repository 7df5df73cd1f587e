import { createSigningParty } from '@agent-marketplace/protocol/testing/signing-party.ts';
import { afterAll, beforeEach } from 'vitest';
import { type PayAndQueryOptions, payAndQuery, SpendingLimit } from '../x402/index.ts';
import { startClientBench } from './client-bench.ts';
import type { StubReply } from './stub-marketplace.ts';
import { LISTING, paymentsIn, recordingAccount, sold } from './x402-seller.ts';

export const START = Date.parse('2026-06-01T12:00:00.000Z');

/** A buyer with ten cents at a stub marketplace; time passes only by waiting. */
export async function startPayBench() {
  const { party, stub, clientOf } = await startClientBench();
  const forger = await createSigningParty();
  afterAll(() => stub.close());
  const bench = {
    stub,
    /** Of no marketplace. */
    forger,
    account: recordingAccount(),
    limit: new SpendingLimit(10),
    now: START,
    pauses: [] as number[],
    patience: {
      now: () => bench.now,
      sleep: async (durationMs: number) => {
        bench.pauses.push(durationMs);
        bench.now += durationMs;
      },
    },
    clientOf,
    client: () => clientOf({ retries: 0 }),
    pay: (options: Partial<PayAndQueryOptions> = {}) =>
      payAndQuery(bench.client(), LISTING, { harbour: 'Brest' }, bench.account, {
        maxPriceCents: 5,
        limit: bench.limit,
        ...bench.patience,
        ...options,
      }),
    sale: (changes: Parameters<typeof sold>[2] = {}) => sold(party, bench.account.address, changes),
    async answers(...replies: (StubReply | null | Promise<StubReply>)[]) {
      stub.answers(...(await Promise.all(replies)));
    },
    /** Signatures made, payments sent, cents counted. */
    spent: () => [bench.account.signed.length, paymentsIn(stub.calls).length, bench.limit.usedCents],
  };
  beforeEach(() => {
    bench.account = recordingAccount();
    bench.limit = new SpendingLimit(10);
    bench.now = START;
    bench.pauses = [];
  });
  return bench;
}
