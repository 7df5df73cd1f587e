import { createSigningParty } from '@agent-marketplace/protocol/testing/signing-party.ts';
import { createMarketplaceClient } from '../client/client.ts';
import type { MarketplaceClientOptions } from '../client/options.ts';
import { type StubReply, startStubMarketplace } from './stub-marketplace.ts';

/** Clients of a stub marketplace, whose waiting is noted instead of done. */
export async function startClientBench() {
  const party = await createSigningParty();
  const stub = await startStubMarketplace(party);
  const slept: number[] = [];
  return {
    party,
    stub,
    slept,
    clientOf(options: Partial<MarketplaceClientOptions> = {}) {
      slept.length = 0;
      const sleep = async (durationMs: number) => void slept.push(durationMs);
      return createMarketplaceClient({ baseUrl: `${stub.baseUrl}/`, sleep, ...options });
    },
  };
}

export function problem(status: number, code: string, more: object = {}): StubReply {
  return { status, body: { code, status, title: 'Title.', detail: 'Detail.', retryable: false, ...more } };
}

/** What a promise is rejected with. */
export async function failure(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('It should have failed.');
}
