import { claimLinkFor } from '@agent-marketplace/core/agents/index.ts';
import { announcePayoutChanges, findPayoutAccount } from '@agent-marketplace/core/payouts/index.ts';
import { settleAccount } from '@agent-marketplace/core/sales/index.ts';
import { newAccount } from '@agent-marketplace/core/testing/chain.harness.ts';
import { verifiedSellerOf } from '@agent-marketplace/core/testing/new-listing.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/new-seller.ts';
import { createQueryMarketplace } from '@agent-marketplace/core/testing/query-marketplace.ts';
import { createUsdcShop } from '@agent-marketplace/core/testing/usdc-shop.ts';
import { TEST_BASE_URL } from '@agent-marketplace/core/testing/workers-harness.ts';
import { beforeEach, describe, expect, it } from 'vitest';

// Whoever has a seller's key, or an old claim link, wants the seller's money.

const x402 = createQueryMarketplace();
const { sales, market, chain } = x402;
const shop = createUsdcShop(x402);
const HOUR_MS = 3600_000;
const DAY_MS = 24 * HOUR_MS;

beforeEach(() => {
  chain.fault = () => undefined;
  chain.fund(chain.payTo, 1_000_000_000n);
});

type Account = ReturnType<typeof newAccount>;
interface Bound {
  readonly changeId: string | null;
  readonly effectiveAt: string;
  readonly code?: string;
  readonly detail?: string;
}

/** Binds a wallet with the seller's key, whoever holds it. */
async function bind({ apiKey }: RegisteredAgent, account: Account = newAccount()) {
  const { body: challenge } = await sales.request('POST', '/sell/payout-wallet/challenge', apiKey, {
    address: account.address,
  });
  const { nonce, message } = challenge as unknown as { nonce: string; message: string };
  const signature = await account.signMessage({ message });
  const { status, body } = await sales.request('POST', '/sell/payout-wallet', apiKey, { nonce, signature });
  return { account, status, ...(body as unknown as Bound) };
}

interface Payouts {
  readonly changes: { id: string; effectiveAt: string; message: string | null; address: string | null }[];
  readonly changesFrozenUntil: string | null;
  readonly connected: boolean;
  readonly paidTo: string | null;
  readonly waitsUntil: string | null;
  readonly wallet: { address: string } | null;
}
async function payoutsOf({ apiKey }: RegisteredAgent): Promise<Payouts> {
  const { body } = await sales.request('GET', '/sell/me', apiKey);
  return (body as unknown as { payouts: Payouts }).payouts;
}

const cancel = async (changeId: string | null, apiKey: string | null, proof: object = {}) => {
  const { status, body } = await sales.request(
    'POST',
    `/sell/payouts/changes/${changeId}/cancel`,
    apiKey,
    proof,
  );
  return status === 200 ? status : `${status} ${body.code}`;
};

const dollars = (cents: number) => BigInt(cents) * 10_000n;
const wasTold = async ({ id }: RegisteredAgent) => (await sales.events(id)).map(({ type }) => type);

describe('a stolen key', () => {
  it('sends nobody the money that falls due before the change takes effect, and all of it later', async () => {
    const { seller, account, buyer } = await shop.open();
    const due = await shop.sell(seller, buyer, 500);
    market.clock.advance(36 * HOUR_MS);
    const between = await shop.sell(seller, buyer, 700);
    market.clock.advance(36 * HOUR_MS);
    // The first is due and was not sent yet; the second falls due while the change can be cancelled, and is sent late.
    const thief = await bind(seller);
    expect([thief.status, thief.changeId]).toEqual([200, expect.any(String)]);
    expect(Date.parse(thief.effectiveAt) - market.clock.now()).toBe(48 * HOUR_MS);
    market.clock.advance(10 * HOUR_MS);
    const after = await shop.sell(seller, buyer, 900);
    market.clock.advance(60 * HOUR_MS);
    for (let n = 0; n < 3; n += 1) await sales.clock();
    expect(shop.received(account.address)).toEqual([dollars(1200)]);
    expect(shop.received(thief.account.address)).toEqual([]);
    await sales.pass(73 * HOUR_MS, 2);
    expect(shop.received(account.address)).toEqual([dollars(1200)]);
    expect(shop.received(thief.account.address)).toEqual([dollars(900)]);
    for (const id of [due, between, after]) expect(await shop.statusOf(id)).toBe('released');
    await sales.audit();
  });

  it('is told of to the callback and the dashboard, which shows what is paid until when', async () => {
    const seller = await sales.newAgent({ name: 'Seller', callbackUrl: 'https://hook.example.com/events' });
    const owner = await bind(seller);
    expect([owner.changeId, await wasTold(seller)]).toEqual([null, ['payout.changed']]);
    const thief = await bind(seller);
    expect(await payoutsOf(seller)).toMatchObject({
      changes: [{ id: thief.changeId, address: thief.account.address, effectiveAt: thief.effectiveAt }],
      changesFrozenUntil: null,
      paidTo: 'wallet',
      wallet: { address: owner.account.address },
    });
    expect((await wasTold(seller)).at(-1)).toBe('payout.change_requested');
    market.clock.advance(48 * HOUR_MS);
    for (let n = 0; n < 2; n += 1) await announcePayoutChanges(market.newPorts());
    expect((await wasTold(seller)).slice(2)).toEqual(['payout.changed']);
    expect(await payoutsOf(seller)).toMatchObject({
      changes: [],
      wallet: { address: thief.account.address },
    });
  });

  it('makes no second change while one is under way, nor two first ones at once', async () => {
    const seller = await sales.newAgent();
    const both = await Promise.all([bind(seller), bind(seller)]);
    expect(both.map(({ changeId }) => changeId === null).sort()).toEqual([false, true]);
    const third = await bind(seller);
    expect([third.status, third.code]).toEqual([409, 'payout_change_pending']);
    expect(third.detail).toContain(both.find(({ changeId }) => changeId)?.effectiveAt);
  });
});

/** What each channel shows to cancel the change of a thief. */
const CHANNELS: readonly [
  string,
  (of: { seller: RegisteredAgent; owner: Account; changeId: string }) => Promise<[string | null, object]>,
][] = [
  ['the key', async ({ seller }) => [seller.apiKey, {}]],
  [
    'the signature of the former wallet',
    async ({ owner, changeId }) => {
      const { body } = await sales.request('GET', `/sell/payouts/changes/${changeId}`, null);
      const { message } = body as unknown as { message: string };
      return [null, { signature: await owner.signMessage({ message }) }];
    },
  ],
];

describe.each(CHANNELS)('the victim cancels by %s', (_, proofOf) => {
  it('and is paid as before, while nobody changes anything for 7 days', async () => {
    const { seller, account: owner, buyer } = await shop.open();
    const thief = await bind(seller);
    const changeId = thief.changeId ?? '';
    const [apiKey, proof] = await proofOf({ seller, owner, changeId });
    expect(await cancel(changeId, apiKey, proof)).toBe(200);
    const frozenFrom = market.clock.now();
    expect(await cancel(changeId, apiKey, proof), 'again').toBe(200);
    const frozen = await bind(seller);
    expect([frozen.status, frozen.code]).toEqual([409, 'payout_changes_frozen']);
    expect(frozen.detail).toContain(new Date(frozenFrom + 7 * DAY_MS).toISOString());
    expect(await payoutsOf(seller)).toMatchObject({ changes: [], wallet: { address: owner.address } });
    await shop.sell(seller, buyer, 500);
    await sales.pass(6 * DAY_MS, 4);
    expect((await bind(seller)).code).toBe('payout_changes_frozen');
    expect(shop.received(owner.address)).toEqual([dollars(500)]);
    expect(shop.received(thief.account.address)).toEqual([]);
    market.clock.advance(DAY_MS);
    expect((await bind(seller)).changeId).toEqual(expect.any(String));
  });

  it('but not once it took effect', async () => {
    const { seller, account: owner } = await shop.open();
    const changeId = (await bind(seller)).changeId ?? '';
    const [apiKey, proof] = await proofOf({ seller, owner, changeId });
    market.clock.advance(48 * HOUR_MS);
    // The message of a former wallet ends with the change.
    expect(await cancel(changeId, apiKey, proof)).toBe('409 payout_change_over');
  });
});

describe('nobody else cancels', () => {
  it('with another key, or another signature', async () => {
    const { seller, account: owner } = await shop.open();
    const other = await shop.open();
    const { changeId, account: thief } = await bind(seller);
    const theirs = await bind(other.seller);
    const { body } = await sales.request('GET', `/sell/payouts/changes/${theirs.changeId}`, null);
    const { message: foreign } = body as unknown as { message: string };
    const [change] = (await payoutsOf(seller)).changes;
    const attempts: [string | null, object][] = [
      [null, {}],
      [other.seller.apiKey, {}],
      [null, { signature: await thief.signMessage({ message: change?.message ?? '' }) }],
      [null, { signature: await owner.signMessage({ message: foreign }) }],
      [null, { signature: '0x00' }],
    ];
    for (const [apiKey, proof] of attempts)
      expect(await cancel(changeId, apiKey, proof)).toBe('403 payout_change_not_yours');
    expect(await cancel('00000000-0000-4000-8000-000000000000', seller.apiKey)).toBe(
      '404 payout_change_not_found',
    );
    expect((await payoutsOf(seller)).changes).toHaveLength(1);
  });

  it('and a cancellation and its repetitions at once count once', async () => {
    const { seller, account: owner } = await shop.open();
    const { changeId } = await bind(seller);
    const answers = await Promise.all(Array.from({ length: 5 }, () => cancel(changeId, seller.apiKey)));
    expect(answers).toEqual([200, 200, 200, 200, 200]);
    expect((await payoutsOf(seller)).wallet?.address).toBe(owner.address);
    expect(
      await sales.rows(
        "SELECT 1 FROM seller_notifications WHERE seller_id = ? AND type = 'payout.change_cancelled'",
        seller.id,
      ),
    ).toHaveLength(1);
  });
});

describe('a claim link', () => {
  async function claimOf(sellerId: string): Promise<string> {
    const ports = market.newPorts();
    const place = { baseUrl: TEST_BASE_URL, siteUrl: null };
    const link = await claimLinkFor(ports, place, { sellerId, claimExpiresAt: null }, market.clock.now());
    await ports.market.commit(link.statements);
    return link.claimUrl.split('/').at(-1) ?? '';
  }

  /** Somebody with the link fills in an account of theirs. */
  async function connectByLink({ id }: RegisteredAgent): Promise<string> {
    const { status } = await sales.request('POST', `/sell/claims/${await claimOf(id)}/payouts`, null, {});
    expect(status).toBe(200);
    const accountId = (await findPayoutAccount(market.newPorts().market, id))?.accountId ?? '';
    sales.cards.onboard(accountId);
    // The processor's report, twice at once.
    await Promise.all([1, 2].map(() => settleAccount(market.newPorts(), accountId)));
    return accountId;
  }
  const transfersTo = (accountId: string) =>
    sales.rows(
      `SELECT 1 FROM transfers JOIN purchases ON id = purchase_id WHERE account_id = ? AND status = 'released'`,
      accountId,
    );

  it('connects payouts at once for listings, and is paid only 48 hours later: sales wait until then', async () => {
    const seller = await verifiedSellerOf(market);
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 5000);
    const accountId = await connectByLink(seller);
    const sold = await shop.sell(seller, buyer, 500);
    const { waitsUntil, paidTo, connected, changes } = await payoutsOf(seller);
    expect([connected, paidTo]).toEqual([true, null]);
    expect(Date.parse(waitsUntil ?? '') - market.clock.now()).toBe(48 * HOUR_MS);
    expect(changes).toHaveLength(1);
    // An operator releases it early.
    await market.newPorts().market.commit([
      {
        sql: 'UPDATE payments SET hold_until = ?, due_at = ? WHERE purchase_id = ?',
        params: [...Array(2).fill(new Date(market.clock.now()).toISOString()), sold],
      },
    ]);
    await sales.pass(47 * HOUR_MS, 4);
    expect(await shop.statusOf(sold)).toBe('held');
    await sales.pass(3 * HOUR_MS, 3);
    expect(await shop.statusOf(sold)).toBe('released');
    expect(await transfersTo(accountId)).toHaveLength(1);
    await sales.audit();
  });

  it('of somebody else is cancelled with the key: the account is gone, and the next one is another', async () => {
    const seller = await verifiedSellerOf(market);
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 5000);
    const thiefs = await connectByLink(seller);
    const sold = await shop.sell(seller, buyer, 500);
    const [change] = (await payoutsOf(seller)).changes;
    expect(await cancel(change?.id ?? '', seller.apiKey)).toBe(200);
    expect(await payoutsOf(seller)).toMatchObject({ paidTo: null, connected: false });
    // Nor does a late report bring it back.
    expect(await settleAccount(market.newPorts(), thiefs)).toBe(false);
    const token = await claimOf(seller.id);
    const { body } = await sales.request('POST', `/sell/claims/${token}/payouts`, null, {});
    expect(body.code).toBe('payout_changes_frozen');
    await sales.pass(7 * DAY_MS, 4);
    expect(await shop.statusOf(sold)).toBe('held');
    const { body: again } = await sales.request('POST', '/sell/register', seller.apiKey, { name: 'Seller' });
    expect((again as unknown as { onboardingUrl: string }).onboardingUrl).toMatch(/^https:/);
    const own = (await findPayoutAccount(market.newPorts().market, seller.id))?.accountId ?? '';
    expect(own).not.toBe(thiefs);
    sales.cards.onboard(own);
    await settleAccount(market.newPorts(), own);
    await sales.pass(4 * HOUR_MS, 4);
    // What waited goes to the seller's own account, which the key set.
    expect(await shop.statusOf(sold)).toBe('released');
    expect([await transfersTo(own), await transfersTo(thiefs)]).toEqual([[expect.anything()], []]);
  });

  it('that somebody opened makes an account wait, though it was filled in with the link of the key', async () => {
    const seller = await verifiedSellerOf(market);
    await sales.request('POST', '/sell/register', seller.apiKey, { name: 'Seller' });
    await connectByLink(seller);
    expect((await payoutsOf(seller)).changes).toHaveLength(1);
  });
});

it('a wallet counts as its seller’s from when it is asked for, and for 90 days after it is paid no more', async () => {
  const { seller, account: owner } = await shop.open();
  const { id } = await sales.listing({ priceCents: 100 }, seller);
  market.clock.advance(100 * DAY_MS);
  const { account: next } = await bind(seller);
  for (const payer of [owner, next]) {
    chain.fund(payer.address, 100_000_000n);
    const { status, body } = await x402.query(id, await x402.pay(payer, id, 2));
    expect([status, body.code]).toEqual([403, 'own_listing']);
  }
  const rows = await sales.rows<{ mark: string }>(
    "SELECT mark FROM party_marks WHERE holder = ? AND mark LIKE 'wallet:%'",
    seller.id,
  );
  expect(rows.map(({ mark }) => mark).sort()).toEqual(
    [owner, next].map(({ address }) => `wallet:${address.toLowerCase()}`).sort(),
  );
});

it('events say what is needed to object, and nothing of the card processor', async () => {
  const seller = await sales.newAgent({ name: 'Seller', callbackUrl: 'https://hook.example.com/events' });
  const owner = await bind(seller);
  const thief = await bind(seller);
  await cancel(thief.changeId, seller.apiKey);
  const rows = await sales.rows<{ type: string; data: string }>(
    "SELECT type, data FROM agent_events WHERE agent_id = ? AND type LIKE 'payout.%' ORDER BY rowid",
    seller.id,
  );
  const { effectiveAt, changeId } = thief;
  const at = expect.any(String);
  expect(rows.map(({ type, data }) => [type, JSON.parse(data)])).toEqual([
    ['payout.changed', { address: owner.account.address, chainId: 8453, changeId: null, kind: 'wallet' }],
    [
      'payout.change_requested',
      {
        address: thief.account.address,
        by: 'key',
        chainId: 8453,
        changeId,
        effectiveAt,
        kind: 'wallet',
        requestedAt: at,
      },
    ],
    [
      'payout.change_cancelled',
      {
        address: thief.account.address,
        by: 'key',
        chainId: 8453,
        changeId,
        changesFrozenUntil: at,
        kind: 'wallet',
      },
    ],
  ]);
});
