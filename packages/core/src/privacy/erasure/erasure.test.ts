import { afterEach, describe, expect, it } from 'vitest';
import { runEveryMinute } from '../../compose/jobs.ts';
import { DAY_MS, HOUR_MS, isoTime } from '../../kernel/time.ts';
import { reportCheckout } from '../../sales/index.ts';
import { sellerOf } from '../../testing/doubles/fake-seller-endpoint.ts';
import { AS_OPERATOR, file } from '../../testing/fixtures/new-inquiry.ts';
import type { RegisteredAgent } from '../../testing/fixtures/new-seller.ts';
import { createSalesMarketplace, sessionOf } from '../../testing/marketplace/sales-marketplace.ts';
import { testBindings } from '../../testing/marketplace/workers-bindings.ts';
import { eraseHeldRows } from '../held/held-rows.store.ts';
import { carryOutErasures } from './carry-out-erasures.ts';
import { erasureDigest } from './erasure-digest.ts';

const sales = createSalesMarketplace();
const { market } = sales;

afterEach(async () => {
  market.sellerEndpoint.script = sellerOf({ answer: 42 });
  await market.background.settled();
  await sales.audit();
});

type Answer = { readonly status: number; readonly body: never };
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
const send = async (method: string, path: string, apiKey: string | null, body?: object): Promise<any> =>
  (await sales.request(method, path, apiKey, body)) as unknown as Answer;
const erase = (agent: RegisteredAgent, query = '') => send('DELETE', `/agents/me${query}`, agent.apiKey);
const jobs = () => runEveryMinute(market.newPorts());

async function afterSevenDays() {
  market.clock.advance(7 * DAY_MS);
  await jobs();
  await market.background.settled();
}

async function sellerWithSale(): Promise<{ seller: RegisteredAgent; buyer: RegisteredAgent; id: string }> {
  const seller = await sales.seller();
  const { id } = await sales.listing({ priceCents: 2000 }, seller);
  const buyer = await sales.newAgent();
  await sales.fund(buyer, 5000);
  const { body } = await sales.buy(id, buyer, { body: { query: { q: 'x' } } });
  return { seller, buyer, id: body.id };
}

it('takes what an operator wrote of the erased from the events of those who reported', async () => {
  const [seller, reporter] = [await sales.seller(), await sales.newAgent()];
  await sales.rows('UPDATE agents SET registered_from = ? WHERE id = ?', 'elsewhere', reporter.id);
  const { id: subjectId } = await sales.listing({ priceCents: 0 }, seller);
  const report = { subjectType: 'listing', subjectId, reason: 'deception' };
  await send('POST', '/reports', reporter.apiKey, report);
  const [found] = await sales.rows<{ id: string }>(
    'SELECT id FROM moderation_cases WHERE subject_id = ?',
    subjectId,
  );
  const decision = { action: 'dismiss', reason: 'zqreason of one person' };
  await sales.request('POST', `/admin/reports/${found?.id}/decision`, null, decision, AS_OPERATOR);
  const events = async () => JSON.stringify((await send('GET', '/agents/me/events', reporter.apiKey)).body);
  expect(await events()).toContain('zqreason');
  expect((await erase(seller)).status).toBe(202);
  await jobs();
  await afterSevenDays();
  expect(await sales.rows('SELECT 1 FROM erasures WHERE erased_at IS NOT NULL')).toHaveLength(1);
  const told = await events();
  expect(told).not.toContain('zqreason');
  expect(told).toContain('dismiss');
});

it('takes no key from an address', async () => {
  const { apiKey } = await sales.newAgent();
  for (const [method, path] of [
    ['DELETE', '/agents/me'],
    ['POST', '/agents/me/keys'],
  ] as const) {
    const { status, body } = await send(
      method,
      `${path}?api_key=${apiKey}`,
      null,
      method === 'POST' ? {} : undefined,
    );
    expect([status, body.code, body.errors?.[0]?.path]).toEqual([400, 'validation_failed', 'api_key']);
  }
  expect((await send('GET', `/agents/me/erasure?api_key=${apiKey}`, null)).body.state).toBe('none');
});

describe('asking for an erasure', () => {
  it('is refused while money is under way, with what has to end by kind and id', async () => {
    const { seller, buyer, id } = await sellerWithSale();
    const ofBuyer = await erase(buyer);
    expect([ofBuyer.status, ofBuyer.body.code]).toEqual([409, 'erasure_blocked']);
    expect(ofBuyer.body.errors).toEqual([{ path: 'purchase', message: id }]);
    expect((await erase(seller)).body.errors).toEqual(
      expect.arrayContaining([
        { path: 'sale', message: id },
        { path: 'escrow', message: `escrow:${seller.id}` },
      ]),
    );
    const { body } = await send('GET', '/agents/me/erasure', buyer.apiKey);
    expect(body).toMatchObject({ state: 'none', dueAt: null });
    expect(body.blockers).toContainEqual({ kind: 'purchase', reference: id });
  });

  it('is not held up by pages that nobody paid, and waits for what is paid on one meanwhile', async () => {
    const seller = await sales.seller();
    const { id } = await sales.listing({ priceCents: 2000 }, seller);
    const [leaver, payer] = [await sales.newAgent(), await sales.newAgent()];
    const opened = [];
    for (const agent of [leaver, payer]) {
      opened.push((await sales.buy(id, agent, { body: { payment_method: 'checkout' } })).body);
      const topUp = await send('POST', '/wallet/fund', agent.apiKey, { amount_cents: 1000 });
      expect([topUp.status, opened.at(-1)?.status]).toEqual([200, 'pending_payment']);
    }
    for (const agent of [leaver, payer, seller]) expect((await erase(agent)).body.errors).toBeUndefined();
    const sessionId = sessionOf(opened[1]?.checkoutUrl);
    sales.cards.payCheckout(sessionId);
    await reportCheckout(market.newPorts(), { sessionId });
    const paid = { kind: 'purchase', reference: opened[1]?.id };
    const { body } = await send('GET', '/agents/me/erasure', payer.apiKey);
    expect([body.state, body.blockers]).toEqual(['due', [paid]]);
    market.clock.advance(2 * HOUR_MS);
    await jobs();
    await afterSevenDays();
    expect((await send('GET', '/agents/me', leaver.apiKey)).status).toBe(401);
  });

  it('leaves seven days in which keys only read, and any key cancels', async () => {
    const agent = await sales.newAgent();
    const other = await sales.newAgent();
    const { status, body } = await erase(agent);
    expect([status, body.state, body.dueAt]).toEqual([202, 'due', isoTime(market.clock.now() + 7 * DAY_MS)]);
    const message = () =>
      send('POST', `/agents/${other.connect.handle}/messages`, agent.apiKey, { text: 'Hello.' });
    expect((await message()).body.code).toBe('account_erasing');
    expect((await send('GET', '/agents/me', agent.apiKey)).status).toBe(200);
    expect((await send('GET', '/agents/me/export', agent.apiKey)).status).toBe(200);
    expect((await erase(agent)).body.code).toBe('erasure_due');
    market.clock.advance(7 * DAY_MS - 1);
    await jobs();
    expect((await send('POST', '/account-erasures/cancel', agent.apiKey, {})).status).toBe(200);
    await afterSevenDays();
    expect((await message()).status).toBe(201);
    expect((await send('POST', '/account-erasures/cancel', agent.apiKey, {})).body.code).toBe(
      'erasure_not_due',
    );
  });

  it('is cancelled by the link of its notice, once, and by no other', async () => {
    const email = 'owner@example.com';
    const agent = await sales.newAgent({ name: 'A', email, callbackUrl: 'https://buyer.example.com/events' });
    const cancel = (token: string) => send('POST', '/account-erasures/cancel', null, { token });
    const first = new URL((await erase(agent)).body.cancelUrl).hash.replace('#token=', '');
    const [notice] = await sales.rows<{ data: string }>(
      "SELECT data FROM agent_events WHERE agent_id = ? AND type = 'account.erasure_requested'",
      agent.id,
    );
    expect(notice?.data).toContain(encodeURIComponent(first).replaceAll('%2E', '.'));
    const [mail] = await sales.rows<{ text: string }>(
      "SELECT text FROM mail_outbox WHERE purpose = 'account_notice' AND recipient = ?",
      email,
    );
    expect(mail?.text).toContain(JSON.parse(notice?.data ?? '{}').cancelUrl);
    expect((await cancel(`${agent.id}.AAAA`)).body.code).toBe('erasure_link_invalid');
    expect((await cancel('nonsense')).body.code).toBe('erasure_link_invalid');
    expect((await cancel(first)).status).toBe(200);
    market.clock.advance(HOUR_MS);
    expect((await erase(agent)).status).toBe(202);
    // The link of an earlier request says nothing about this one.
    expect((await cancel(first)).body.code).toBe('erasure_link_invalid');
    expect((await send('POST', '/account-erasures/cancel', null, {})).body.code).toBe('missing_api_key');
  });

  it('takes a key for everything', async () => {
    const agent = await sales.newAgent();
    await market
      .newPorts()
      .market.commit([{ sql: `UPDATE agent_keys SET label = 'x' WHERE agent_id = ?`, params: [agent.id] }]);
    const [key] = await sales.rows<{ hash: string }>(
      'SELECT key_hash AS hash FROM agent_keys WHERE agent_id = ?',
      agent.id,
    );
    expect(key).toBeDefined();
    await market.newPorts().market.commit([
      { sql: 'DROP TRIGGER agent_keys_never_widen', params: [] },
      { sql: `UPDATE agent_keys SET scopes = '["manage"]' WHERE agent_id = ?`, params: [agent.id] },
    ]);
    expect((await erase(agent)).body.code).toBe('scope_missing');
    // Nor does another show what is held: it has the owner's address in it.
    expect((await send('GET', '/agents/me/export', agent.apiKey)).body.code).toBe('scope_missing');
  });
});

describe('an erasure that is carried out', () => {
  it('leaves no name, no key and no entry in the directory, and the records of money', async () => {
    const { buyer, id } = await sellerWithSale();
    const limit = { limited: true, rule: 'payment_fraud', reason: 'It quotes zqquote.' };
    const path = `/admin/agents/${buyer.id}/purchases`;
    const limited = await sales.request('POST', path, null, limit, AS_OPERATOR);
    expect(limited.status).toBe(200);
    const quotes = () => sales.rows("SELECT sequence FROM audit_texts WHERE texts LIKE '%zqquote%'");
    expect(await quotes()).toHaveLength(1);
    // Whoever is written about is given it, unless there is another side.
    const hold = { reason: 'It waits for zqother.' };
    const held = await sales.request('POST', `/admin/purchases/${id}/hold`, null, hold, AS_OPERATOR);
    expect(held.status).toBe(200);
    const { records } = (await send('GET', '/agents/me/export?limit=200', buyer.apiKey)).body;
    const written = records.filter(({ table }: { table: string }) => table === 'audit_texts');
    expect(written).toEqual([
      {
        role: 'self',
        table: 'audit_texts',
        values: { sequence: expect.any(Number), texts: expect.stringContaining('It quotes zqquote.') },
      },
    ]);
    const lift = { reason: 'It waits no more.' };
    const lifted = await sales.request('POST', `/admin/purchases/${id}/hold/lift`, null, lift, AS_OPERATOR);
    expect(lifted.status).toBe(200);
    await sales.pass(4 * DAY_MS);
    expect((await erase(buyer)).status).toBe(202);
    await afterSevenDays();
    expect((await send('GET', '/agents/me', buyer.apiKey)).status).toBe(401);
    expect((await send('GET', `/agents/${buyer.connect.handle}`, null)).status).toBe(404);
    const [row] = await sales.rows('SELECT name, email, display_name FROM agents WHERE id = ?', buyer.id);
    expect(row).toEqual({ name: 'erased', email: null, display_name: null });
    const [sale] = await sales.rows(
      'SELECT buyer_id, amount_cents, query, receipt FROM purchases WHERE id = ?',
      id,
    );
    expect(sale).toMatchObject({ buyer_id: buyer.id, amount_cents: 2000, query: null });
    const receipt = JSON.parse((sale as { receipt: string }).receipt);
    const verified = await send('POST', '/verify-receipt', null, { receipt });
    expect([verified.status, verified.body.valid]).toEqual([200, true]);
    expect(await sales.account(`wallet:${buyer.id}`)).toBe(0);
    expect(await quotes()).toEqual([]);
  });

  it('takes the listings off the market at once, with their signed history, and lets nothing begin', async () => {
    const seller = await sales.seller();
    const { id } = await sales.listing({ priceCents: 0 }, seller);
    expect((await erase(seller)).status).toBe(202);
    const buyer = await sales.newAgent();
    // Before the jobs of the next minute, too.
    expect((await sales.buy(id, buyer)).body.code).toBe('listing_not_active');
    expect((await send('GET', `/marketplace/listings/${id}`, null)).body).toMatchObject({
      previewHidden: true,
    });
    expect(await sales.purchases(id)).toEqual([]);
    await jobs();
    expect((await send('GET', `/marketplace/listings/${id}/history`, null)).body).toMatchObject({
      chainValid: true,
      entries: expect.arrayContaining([expect.objectContaining({ changeType: 'deactivated' })]),
    });
    await afterSevenDays();
    expect((await send('GET', '/agents/me', seller.apiKey)).status).toBe(401);
    expect((await send('GET', `/marketplace/listings/${id}/history`, null)).body.chainValid).toBe(true);
  });

  it('waits while something is open that began before', async () => {
    const agent = await sales.newAgent();
    expect((await erase(agent)).status).toBe(202);
    await sales.rows('SELECT 1');
    const seller = await sales.seller();
    const listing = await sales.listing({}, seller);
    await market.newPorts().market.commit([
      {
        sql: `INSERT INTO offers (id, listing_id, seller_id, buyer_id, amount_cents, status, expires_at, created_at)
          VALUES (?, ?, ?, ?, 5, 'open', ?, ?)`,
        params: [market.newPorts().ids.uuid(), listing.id, seller.id, agent.id, '2030', '2026'],
      },
    ]);
    await afterSevenDays();
    expect((await send('GET', '/agents/me', agent.apiKey)).status).toBe(200);
    await market.newPorts().market.commit([
      {
        sql: "UPDATE offers SET status = 'declined', decided_at = '2026' WHERE buyer_id = ?",
        params: [agent.id],
      },
    ]);
    market.clock.advance(HOUR_MS);
    await jobs();
    expect((await send('GET', '/agents/me', agent.apiKey)).status).toBe(401);
  });
});

describe('under the schema as it is', () => {
  /** `table.column` of wherever the text is in either database. */
  async function placesOf(text: string): Promise<string[]> {
    const found: string[] = [];
    for (const database of [testBindings.DB, testBindings.SEARCH]) {
      const all = <Row>(sql: string, ...params: string[]) =>
        database
          .prepare(sql)
          .bind(...params)
          .all()
          .then(({ results }) => results as Row[]);
      for (const { name: table } of await all<{ name: string }>(
        "SELECT name FROM sqlite_master WHERE type = 'table'",
      )) {
        for (const { name } of await all<{ name: string }>('SELECT name FROM pragma_table_xinfo(?)', table)) {
          const [row] = await all<{ n: number }>(
            `SELECT count(*) AS n FROM ${table} WHERE instr(CAST("${name}" AS BLOB), CAST(? AS BLOB)) > 0`,
            text,
          );
          if (row && row.n > 0) found.push(`${table}.${name}`);
        }
      }
    }
    return found.sort();
  }

  it('whoever bought, rated, disputed, wrote and saved a card leaves nothing of what was said', async () => {
    const mark = 'zqmark';
    const callbackUrl = `https://${mark}.example.com/events`;
    const person = { name: mark, email: `${mark}@example.com`, displayName: `${mark} Data` };
    const buyer = await sales.newAgent({ ...person, callbackUrl });
    const other = await sales.newAgent();
    await sales.fund(buyer, 5000);
    await sales.saveCard(buyer);
    const query = { [mark]: mark };
    const seller = await sales.seller();
    const bought = async () => {
      const listing = await sales.listing({ priceCents: 1000 }, seller);
      const { body } = await sales.buy(listing.id, buyer, { body: { query, email: person.email } });
      return { listing, id: body.id };
    };
    const [rated, disputed] = [await bought(), await bought()];
    const said = [
      await send('POST', `/marketplace/purchases/${disputed.id}/dispute`, buyer.apiKey, { reason: mark }),
      await send('POST', `/marketplace/listings/${rated.listing.id}/rate`, buyer.apiKey, {
        purchase_id: rated.id,
        rating: 5,
        comment: mark,
      }),
      await send('POST', `/agents/${other.connect.handle}/messages`, buyer.apiKey, { text: mark }),
      await send('POST', `/agents/${buyer.connect.handle}/messages`, other.apiKey, { text: mark }),
      await send('POST', '/inquiries', buyer.apiKey, {
        ...{ subject: mark, message: mark, name: mark, email: person.email },
        attachments: [file(mark, { filename: `${mark}.txt` })],
      }),
      await send('POST', '/agents/me/keys', buyer.apiKey, { label: mark, scopes: ['read'] }),
    ];
    expect(said.map(({ status, body }) => (status < 300 ? 'done' : body))).toEqual(said.map(() => 'done'));
    expect((await placesOf(mark)).length).toBeGreaterThan(10);
    await sales.request(
      'POST',
      `/admin/disputes/${disputed.id}`,
      null,
      { decision: 'release', reason: 'It conforms.' },
      AS_OPERATOR,
    );
    await sales.pass(30 * DAY_MS);
    const asked = await erase(buyer, '?giveUpBalance=true');
    expect([asked.status, asked.body.errors]).toEqual([202, undefined]);
    await afterSevenDays();
    for (let day = 0; day < 3; day += 1) {
      market.clock.advance(DAY_MS);
      await jobs();
    }
    expect(await placesOf(mark)).toEqual([]);
    expect(JSON.stringify(market.log)).not.toContain(mark);
  });

  it('the search database forgets the words of a listing with them, as they are and as they were', async () => {
    const [former, present, section] = ['qxformerzk', 'qypresentzk', 'qzsectionzk'];
    const seller = await sales.seller();
    const words = (word: string) => ({ title: `Tides ${word}`, description: `Low water ${word}.` });
    const { id } = await sales.listing(words(former), seller);
    // A listing with the same neighbours stays: no segment goes as a whole.
    await sales.listing(words('elsewhere'));
    await market.background.settled();
    const search = market.newPorts().search;
    await search.commit([
      { sql: 'UPDATE documents SET subcategory = ? WHERE listing_id = ?', params: [section, id] },
      // As merges leave it in time: in a segment that the next merges do not reach.
      ...['documents_text', 'documents_words'].map((index) => ({
        sql: `INSERT INTO ${index} (${index}) VALUES ('optimize')`,
        params: [],
      })),
    ]);
    // An index writes of a word only what the one before it does not begin with.
    const tail = (word: string) => word.slice(2);
    expect(await placesOf(tail(former))).toEqual(
      expect.arrayContaining(['documents_text_data.block', 'documents_words_data.block']),
    );
    const changed = await send('PATCH', `/marketplace/listings/${id}`, seller.apiKey, words(present));
    expect(changed.status).toBe(200);
    await market.background.settled();
    const inSearch = async (word: string) =>
      (await placesOf(tail(word))).filter((place) => /^(documents|spelling|subcategory_facets)/.test(place));
    expect(await inSearch(former)).toEqual([]);
    expect(await inSearch(present)).toContain('documents_words_data.block');
    expect((await erase(seller)).status).toBe(202);
    await afterSevenDays();
    for (const word of [former, present, section]) expect([word, await inSearch(word)]).toEqual([word, []]);
  });
});

describe('whatever breaks while it is carried out', () => {
  async function dueErasure(): Promise<RegisteredAgent> {
    const agent = await sales.seller();
    await sales.listing({ priceCents: 0 }, agent);
    await sales.fund(agent, 1000);
    // Too old for a refund: it is given up.
    const sql = "UPDATE wallet_top_ups SET created_at = '2020-01-01T00:00:00.000Z' WHERE agent_id = ?";
    await market.newPorts().market.commit([{ sql, params: [agent.id] }]);
    expect((await erase(agent, '?giveUpBalance=true')).status).toBe(202);
    market.clock.advance(7 * DAY_MS);
    await market.background.settled();
    return agent;
  }

  /** Runs the job until a call breaks, and answers how many calls it made. */
  async function run(fault: (call: number) => 'lose_request' | 'lose_reply' | undefined): Promise<number> {
    let calls = 0;
    const next = () => {
      calls += 1;
      return fault(calls - 1);
    };
    market.market.fault = next;
    market.search.fault = next;
    try {
      await carryOutErasures(market.newPorts()).catch(() => {});
    } finally {
      market.market.fault = () => undefined;
      market.search.fault = () => undefined;
    }
    return calls;
  }

  it('at every call, before and after it: it is carried out once', async () => {
    await dueErasure();
    // Listings first, then the account: two runs.
    const calls = [await run(() => undefined), await run(() => undefined)];
    expect(Math.min(...calls)).toBeGreaterThan(1);
    const points = calls.flatMap((count, at) => Array.from({ length: count }, (_, call) => ({ at, call })));
    for (const { at, call } of points) {
      for (const fault of ['lose_request', 'lose_reply'] as const) {
        const agent = await dueErasure();
        if (at === 1) await run(() => undefined);
        await run((n) => (n === call ? fault : undefined));
        await run(() => undefined);
        await run(() => undefined);
        const [row] = await sales.rows(
          `SELECT name, (SELECT count(*) FROM agent_keys WHERE agent_id = agents.id) AS keys,
            (SELECT count(*) FROM ledger_postings WHERE reference = 'given_up:' || agents.id) AS postings,
            (SELECT count(*) FROM erasures WHERE agent_id = agents.id AND erased_at IS NOT NULL) AS erasures,
            (SELECT count(*) FROM listings WHERE seller_id = agents.id AND status = 'active') AS active
          FROM agents WHERE id = ?`,
          agent.id,
        );
        expect(row, `${fault} of call ${call} of run ${at}`).toEqual({
          name: 'erased',
          keys: 0,
          postings: 1,
          erasures: 1,
          active: 0,
        });
      }
    }
  }, 60_000);
});

describe('after a restore of a backup', () => {
  it('what could not be listed when it was erased is listed later', async () => {
    const agent = await sales.newAgent();
    await erase(agent);
    market.erasureList.isDown = true;
    await afterSevenDays();
    market.erasureList.isDown = false;
    expect(market.erasureList.digests).not.toContain(await erasureDigest(agent.id));
    await jobs();
    expect(market.erasureList.digests).toContain(await erasureDigest(agent.id));
  });

  it('the list of erasures erases again, and no one else', async () => {
    const [gone, stays] = [await sales.newAgent({ name: 'Gone' }), await sales.newAgent({ name: 'Stays' })];
    await erase(gone);
    await afterSevenDays();
    expect(market.erasureList.digests).toContain(await erasureDigest(gone.id));
    // As the backup has it.
    await market.newPorts().market.commit([
      { sql: 'DROP TRIGGER erasures_kept', params: [] },
      { sql: 'DELETE FROM erasures WHERE agent_id = ?', params: [gone.id] },
      {
        sql: "UPDATE agents SET name = 'Gone', erased_at = NULL, erases_at = NULL WHERE id = ?",
        params: [gone.id],
      },
    ]);
    const replay = (after?: string) =>
      sales.request(
        'POST',
        '/admin/erasures/replay',
        null,
        after ? { after } : {},
        AS_OPERATOR,
      ) as unknown as Promise<{ status: number; body: { found: number; nextAfter: string | null } }>;
    market.erasureList.isDown = true;
    expect((await replay()).status).toBe(503);
    market.erasureList.isDown = false;
    expect((await replay()).body).toMatchObject({ found: 1, nextAfter: null });
    await jobs();
    const names = await sales.rows<{ name: string }>(
      'SELECT name FROM agents WHERE id IN (?, ?) ORDER BY name',
      gone.id,
      stays.id,
    );
    expect(names).toEqual([{ name: 'Stays' }, { name: 'erased' }]);
    expect((await replay()).body.found).toBe(0);
  });
});

it('an erasure takes the mails with links, which name their reader', async () => {
  const email = 'leaves@example.com';
  const agent = await sales.newAgent();
  await send('PATCH', '/agents/me', agent.apiKey, { email });
  await send('PATCH', '/agents/me', agent.apiKey, { email: `other-${email}` });
  const mails = () =>
    testBindings.DB.prepare(
      "SELECT purpose FROM mail_outbox WHERE recipient LIKE '%leaves@example.com'",
    ).all();
  expect((await mails()).results).toEqual([{ purpose: 'email_link' }, { purpose: 'email_link' }]);
  const { market: db } = market.newPorts();
  await db.commit(eraseHeldRows(agent.id, await erasureDigest(agent.id)));
  expect((await mails()).results).toEqual([]);
});

it('what an approval was used for is found by its index', async () => {
  const plan = await testBindings.DB.prepare(
    'EXPLAIN QUERY PLAN SELECT 1 FROM approvals WHERE agent_id = ? AND used_for = ?',
  )
    .bind('a', 'b')
    .all<{ detail: string }>();
  expect(plan.results.map(({ detail }) => detail).join()).toContain('approvals_by_use');
});
