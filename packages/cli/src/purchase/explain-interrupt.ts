import { createMarketplaceClient, type MarketplaceClient } from '@agent-marketplace/sdk';
import { CliFailure } from '../frame/cli-failure.ts';
import type { Shell } from '../frame/shell.ts';
import { amount } from '../output/money.ts';

const TRIES = 3;
const PAUSE_MS = 1000;
const TIMEOUT_MS = 5000;

/** The purchase by its id, or by the key of the request that made it. */
type Lookup = { readonly purchaseId: string } | { readonly idempotencyKey: string };

/** What to say to somebody who stopped a purchase after its request was sent: whether money moved, as far as it is known. */
export async function explainInterrupt(shell: Shell, lookup: Lookup): Promise<CliFailure> {
  const { apiKey } = shell.settings;
  const failure = (message: string, facts: object) =>
    new CliFailure('interrupted', message, {
      hint: apiKey === null ? null : hintFor(lookup),
      facts: { ...lookup, ...facts },
    });
  if (apiKey === null) {
    return failure(
      'Stopped. Without a key the purchase cannot be looked up; nothing is charged before its page is paid.',
      {
        charged: false,
      },
    );
  }
  shell.note('Stopped. Looking up what the request did; Ctrl-C once more ends at once.');
  const client = createMarketplaceClient({ baseUrl: shell.url, apiKey, retries: 0, timeoutMs: TIMEOUT_MS });
  try {
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      const purchase = await find(client, lookup);
      if (purchase) return failure(...describe(purchase));
      if (attempt < TRIES) await shell.terminal.sleep(PAUSE_MS);
    }
    return failure(
      'Stopped. No purchase is recorded, and nothing charged; the request may still be at work.',
      {
        charged: null,
      },
    );
  } catch {
    return failure('Stopped. Whether money moved is not known: the purchase could not be looked up.', {
      charged: null,
    });
  }
}

const hintFor = (lookup: Lookup) =>
  'purchaseId' in lookup
    ? `See how it stands: agent-market purchases show ${lookup.purchaseId}`
    : `See what it did: agent-market purchases list --idempotency-key ${lookup.idempotencyKey}`;

async function find(client: MarketplaceClient, lookup: Lookup): Promise<Recorded | undefined> {
  if ('purchaseId' in lookup) return client.getPurchase({ ...lookup, content: 'omit' });
  return (await client.listPurchases(lookup)).purchases[0];
}

interface Recorded {
  readonly id: string;
  readonly status: string;
  readonly amountCents: number;
}

function describe({ id, status, amountCents }: Recorded): [string, object] {
  const facts = (charged: boolean) => ({ charged, purchaseId: id, status });
  const price = amount(amountCents);
  switch (status) {
    case 'pending_payment':
      return [`Stopped. The purchase ${id} waits for its payment; nothing is charged.`, facts(false)];
    case 'authorized':
      return [`Stopped. ${price} is reserved for the purchase ${id}, and not charged yet.`, facts(false)];
    case 'refunded':
    case 'expired':
    case 'failed':
      return [`Stopped. The purchase ${id} ended as ${status}; nothing stays charged.`, facts(false)];
    default:
      return amountCents === 0
        ? [`Stopped. The purchase ${id} was delivered; it is free.`, facts(false)]
        : [`Stopped. ${price} was charged for the purchase ${id}, which was delivered.`, facts(true)];
  }
}
