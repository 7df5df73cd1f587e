import { claimLinkFor } from '@agent-marketplace/core/agents/index.ts';
import { sendMail } from '@agent-marketplace/core/mail/index.ts';
import { announcePayoutChanges, findPayoutAccount } from '@agent-marketplace/core/payouts/index.ts';
import { settleAccount } from '@agent-marketplace/core/sales/index.ts';
import { writeNoticeMails } from '@agent-marketplace/core/selling/index.ts';
import { AS_OPERATOR, inquiriesOf } from '@agent-marketplace/core/testing/fixtures/new-inquiry.ts';
import { verifiedSellerOf } from '@agent-marketplace/core/testing/fixtures/new-listing.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { createQueryMarketplace } from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { createUsdcShop } from '@agent-marketplace/core/testing/marketplace/usdc-shop.ts';
import { TEST_BASE_URL } from '@agent-marketplace/core/testing/marketplace/workers-harness.ts';
import { newAccount } from '@agent-marketplace/core/testing/suites/chain.harness.ts';
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

const EMAIL = 'Harbour+shop@example.com';
let addresses = 0;

/** The seller has told an address, of which no thief knows. */
async function giveEmail({ apiKey }: RegisteredAgent, email?: string): Promise<string> {
  addresses += 1;
  const given = email ?? EMAIL.replace('@', `${addresses}@`).replace('Harbour', `Harbour${addresses}`);
  await sales.request('POST', '/sell/register', apiKey, { name: 'Seller', email: given });
  return given;
}

const SITE = { siteUrl: 'https://market.example.com' };

/** What was mailed to an address until now. */
async function mailsTo(address: string): Promise<{ subject: string; text: string }[]> {
  const ports = market.newPorts();
  await writeNoticeMails(ports, SITE);
  await sendMail(ports);
  return market.mail.tried.filter(({ to }) => to === address);
}

const LINK = /https:\/\/market\.example\.com\/payout-changes\/([0-9a-f-]{36})#token=([0-9a-f]{32})/;

async function mailedTokenOf(address: string, changeId: string): Promise<string> {
  const mails = await mailsTo(address);
  const links = mails.flatMap(({ text }) => (LINK.exec(text) ? [LINK.exec(text)] : []));
  return links.find((link) => link?.[1] === changeId)?.[2] ?? '';
}

/** What each channel shows to cancel the change of a thief. */
const CHANNELS: readonly [
  string,
  (of: {
    seller: RegisteredAgent;
    owner: Account;
    email: string;
    changeId: string;
  }) => Promise<[string | null, object]>,
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
  [
    'the link in the mail',
    async ({ email, changeId }) => [null, { token: await mailedTokenOf(email, changeId) }],
  ],
];

describe.each(CHANNELS)('the victim cancels by %s', (_, proofOf) => {
  it('and is paid as before, while nobody changes anything for 7 days', async () => {
    const { seller, account: owner, buyer } = await shop.open();
    const email = await giveEmail(seller);
    const thief = await bind(seller);
    const changeId = thief.changeId ?? '';
    const [apiKey, proof] = await proofOf({ seller, owner, email, changeId });
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
    const email = await giveEmail(seller);
    const changeId = (await bind(seller)).changeId ?? '';
    const [apiKey, proof] = await proofOf({ seller, owner, email, changeId });
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

describe('the mail of a change', () => {
  it('says what changes when, and is told again when it is cancelled or takes effect', async () => {
    const { seller, account: owner } = await shop.open();
    const email = await giveEmail(seller);
    const thief = await bind(seller);
    const short = ({ address }: Account) => `${address.slice(0, 6)}…${address.slice(-4)}`;
    const [requested] = await mailsTo(email);
    expect(requested?.text).toContain(short(thief.account));
    expect(requested?.text).toContain(thief.effectiveAt);
    expect(requested?.text).not.toContain(thief.account.address);
    const token = await mailedTokenOf(email, thief.changeId ?? '');
    expect(await cancel(thief.changeId, null, { token })).toBe(200);
    expect((await mailsTo(email))[1]?.text).toMatch(/was cancelled with the link of a mail/);
    market.clock.advance(7 * DAY_MS);
    const next = await bind(seller, owner);
    expect(next.changeId).toBeNull();
    const moved = await bind(seller);
    expect(await mailsTo(email)).toHaveLength(3);
    market.clock.advance(48 * HOUR_MS);
    await announcePayoutChanges(market.newPorts());
    const mails = await mailsTo(email);
    expect(mails).toHaveLength(4);
    expect(mails[3]?.text).toContain(`goes to the wallet ${short(moved.account)}`);
    expect(mails[3]?.text).not.toMatch(LINK);
  });

  it('cancels no other change, and nothing with what is not its token', async () => {
    const victim = await shop.open();
    const other = await shop.open();
    const email = await giveEmail(other.seller);
    const theirs = await bind(other.seller);
    const { changeId } = await bind(victim.seller);
    const foreign = await mailedTokenOf(email, theirs.changeId ?? '');
    expect(foreign).toHaveLength(32);
    for (const token of [foreign, '', foreign.slice(0, 31), `${foreign}0`, changeId ?? '']) {
      expect(await cancel(changeId, null, { token })).toBe('404 payout_change_not_found');
      // A token that is sent is the channel, whoever sends it.
      expect(await cancel(changeId, victim.seller.apiKey, { token })).toBe('404 payout_change_not_found');
    }
    expect((await payoutsOf(victim.seller)).changes).toHaveLength(1);
  });

  it('is in no answer that whoever has the key gets, nor in the operator’s list, before it is sent or after', async () => {
    const { seller } = await shop.open();
    const email = await giveEmail(seller);
    const bound = await bind(seller);
    await writeNoticeMails(market.newPorts(), SITE);
    const texts = () =>
      sales.rows<{ text: string | null }>('SELECT text FROM mail_outbox WHERE recipient = ?', email);
    const token = LINK.exec((await texts())[0]?.text ?? '')?.[2] ?? '';
    expect(token).toHaveLength(32);
    const seen = async () => [
      bound,
      await sales.rows('SELECT data FROM agent_events WHERE agent_id = ?', seller.id),
      await sales.rows('SELECT data FROM seller_notifications WHERE seller_id = ?', seller.id),
      ...(await Promise.all(
        [
          ['/sell/me', seller.apiKey],
          ['/agents/me', seller.apiKey],
          [`/sell/payouts/changes/${bound.changeId}`, seller.apiKey],
          [`/sell/payouts/changes/${bound.changeId}`, null],
        ].map(async ([path, key]) => (await sales.request('GET', path ?? '', key ?? null)).body),
      )),
      (await inquiriesOf(market).get('/admin/mail?limit=100', AS_OPERATOR)).body,
    ];
    expect(JSON.stringify(await seen())).not.toContain(token);
    await mailsTo(email);
    expect(await texts()).toEqual([{ text: '' }]);
    expect(JSON.stringify(await seen())).not.toContain(token);
  });

  it('goes nowhere without an address, and is not written where no mail is sent', async () => {
    const { seller } = await shop.open();
    await bind(seller);
    const queued =
      "SELECT 1 FROM mail_outbox WHERE purpose = 'payout_notice' AND reference IN (SELECT id FROM seller_notifications WHERE seller_id = ?)";
    expect(await sales.rows(queued, seller.id)).toEqual([]);
    expect(await writeNoticeMails({ ...market.newPorts(), mail: null }, SITE)).toBe(0);
  });

  it('is not kept away by strangers who give the same address, and does not flood one that they give', async () => {
    const { seller, buyer } = await shop.open();
    await shop.sell(seller, buyer, 500);
    const email = await giveEmail(seller);
    for (const plus of ['', '+a', '+b', '+c', '+d']) {
      const stranger = await sales.newAgent({ name: 'Stranger' });
      await giveEmail(stranger, email.replace(/\+.*@/, `${plus}@`).toUpperCase());
      await bind(stranger);
    }
    const sent = async () => {
      await mailsTo(email);
      const person = email.replace(/\+.*/, '').toLowerCase();
      return market.mail.tried.filter(
        ({ to }) => to.toLowerCase().startsWith(`${person}+`) || to.toLowerCase().startsWith(`${person}@`),
      );
    };
    expect(await sent()).toHaveLength(3);
    const { changeId } = await bind(seller);
    expect(await mailedTokenOf(email, changeId ?? '')).toHaveLength(32);
    expect(await sent()).toHaveLength(4);
  });

  it('tells of a changed endpoint: its host, in a form that is no link', async () => {
    const seller = await verifiedSellerOf(market);
    const email = await giveEmail(seller);
    const callbackUrl = 'https://phish.example.net/deliver?say=hello';
    const { status } = await sales.request('POST', '/sell/callback', seller.apiKey, { callbackUrl });
    expect(status).toBe(200);
    const [mail] = await mailsTo(email);
    expect(mail?.text).toContain('phish[.]example[.]net');
    expect(mail?.text).not.toMatch(/phish\.example|hello/);
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

  it('of somebody else that was cancelled leaves the first wallet to the key, which waits like a change', async () => {
    const seller = await verifiedSellerOf(market);
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 5000);
    await connectByLink(seller);
    const sold = await shop.sell(seller, buyer, 500);
    const [change] = (await payoutsOf(seller)).changes;
    expect(await cancel(change?.id ?? '', seller.apiKey)).toBe(200);
    // Whoever has a stolen key may be the one who cancelled what the seller's person connected.
    const first = await bind(seller);
    expect([first.status, first.changeId]).toEqual([200, expect.any(String)]);
    expect(Date.parse(first.effectiveAt) - market.clock.now()).toBe(48 * HOUR_MS);
    await sales.pass(47 * HOUR_MS, 3);
    expect(shop.received(first.account.address)).toEqual([]);
    expect(await cancel(first.changeId, seller.apiKey)).toBe(200);
    const next = await bind(seller);
    expect([next.status, next.code]).toEqual([409, 'payout_changes_frozen']);
    expect(await shop.statusOf(sold)).toBe('held');
  });

  it('that was cancelled leaves the first account to the key, which waits too', async () => {
    const seller = await verifiedSellerOf(market);
    const thiefs = await connectByLink(seller);
    const [change] = (await payoutsOf(seller)).changes;
    expect(await cancel(change?.id ?? '', seller.apiKey)).toBe(200);
    await sales.request('POST', '/sell/register', seller.apiKey, { name: 'Seller' });
    const own = (await findPayoutAccount(market.newPorts().market, seller.id))?.accountId ?? '';
    expect(own).not.toBe(thiefs);
    sales.cards.onboard(own);
    await settleAccount(market.newPorts(), own);
    const { changes, paidTo } = await payoutsOf(seller);
    expect([changes.length, paidTo]).toEqual([1, null]);
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
