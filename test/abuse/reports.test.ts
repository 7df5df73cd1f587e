import { runEveryMinute } from '@agent-marketplace/core/compose/jobs.ts';
import { DAY_MS } from '@agent-marketplace/core/kernel/time.ts';
import { AS_OPERATOR } from '@agent-marketplace/core/testing/fixtures/new-inquiry.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { createMcpFace } from '@agent-marketplace/core/testing/marketplace/mcp-face.ts';
import { createSalesMarketplace } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { beforeEach, describe, expect, it } from 'vitest';

// Strangers report what breaks the rules, and what does not; operators decide, and can be wrong.

const sales = createSalesMarketplace();
let seller: RegisteredAgent;
let listingId: string;
beforeEach(async () => {
  seller = await sales.seller();
  listingId = (await sales.listing({ priceCents: 0 }, seller)).id;
});

interface Case {
  readonly id: string;
  readonly subjectId: string;
  readonly reports: number;
  readonly firstReports: { reason: string; text: string | null }[];
  readonly appealText: string | null;
  readonly decidedBy: string | null;
}

const REPORT = { subjectType: 'listing', reason: 'deception', text: 'It delivers noise.' };
const report = (by: RegisteredAgent | null, body: object = {}) =>
  sales.request('POST', '/reports', by?.apiKey ?? null, { ...REPORT, subjectId: listingId, ...body });

async function queue(state = 'open', subjectId = listingId): Promise<Case[]> {
  const { body } = await sales.request(
    'GET',
    `/admin/reports?state=${state}&subjectId=${subjectId}`,
    null,
    undefined,
    AS_OPERATOR,
  );
  return (body as unknown as { cases: Case[] }).cases;
}
const caseOf = async (subjectId = listingId, state = 'open') =>
  (await queue(state, subjectId)).find((one) => one.subjectId === subjectId);

async function decide(caseId: string, body: object) {
  return sales.request('POST', `/admin/reports/${caseId}/decision`, null, body, AS_OPERATOR);
}
const BLOCK = { action: 'block', rule: 'deception', reason: 'Noise.' };
const appeal = (by: RegisteredAgent, decisionId: string) =>
  sales.request('POST', '/appeals', by.apiKey, { decisionId, text: 'It is music.' });
const endAppeal = (caseId: string, outcome: string) =>
  sales.request(
    'POST',
    `/admin/reports/${caseId}/appeal`,
    null,
    { outcome, reason: 'Heard again.' },
    AS_OPERATOR,
  );

async function statusOf(): Promise<string | undefined> {
  const [row] = await sales.rows<{ status: string }>('SELECT status FROM listings WHERE id = ?', listingId);
  return row?.status;
}

/** Keys that were registered from different networks. */
async function strangers(count: number): Promise<RegisteredAgent[]> {
  const made: RegisteredAgent[] = [];
  for (let n = 0; n < count; n += 1) {
    const one = await sales.newAgent();
    await sales.market.newPorts().market.commit([
      {
        sql: 'UPDATE agents SET registered_from = ? WHERE id = ?',
        params: [`network ${n} ${one.id}`, one.id],
      },
    ]);
    made.push(one);
  }
  return made;
}

describe('a report', () => {
  it('is one entry of the queue, however many report, and each counts once', async () => {
    const many = await strangers(6);
    for (const one of [...many, ...many, null, null]) {
      sales.market.clock.advance(61_000);
      expect((await report(one)).status).toBe(202);
    }
    const found = (await queue()).filter((one) => one.subjectId === listingId);
    expect(found).toMatchObject([{ reports: 7 }]);
    expect(found[0]?.firstReports).toHaveLength(5);
    expect(await statusOf()).toBe('active');
  });

  it('counts once for all keys of one network, and not again after a decision', async () => {
    const [one, other] = [await sales.newAgent(), await sales.newAgent()];
    for (const by of [one, other]) await report(by);
    const found = await caseOf();
    expect(found?.reports).toBe(1);
    expect((await decide(found?.id ?? '', { action: 'dismiss', reason: 'It is music.' })).status).toBe(200);
    expect((await report(one)).status).toBe(202);
    expect(await caseOf()).toBeUndefined();
  });

  it('is refused of what does not exist, of what is one’s own, and for a reason that is no rule', async () => {
    const answers = [
      await report(null, { subjectId: crypto.randomUUID() }),
      await report(null, { subjectType: 'agent' }),
      await report(seller),
      await report(seller, { subjectType: 'agent', subjectId: seller.id }),
      await report(null, { reason: 'because' }),
    ];
    expect(answers.map(({ body }) => body.code)).toEqual([
      'report_subject_not_found',
      'report_subject_not_found',
      'own_subject',
      'own_subject',
      'validation_failed',
    ]);
    expect(await caseOf()).toBeUndefined();
  });
});

describe('a flood of reports', () => {
  const from = (address: string, path: string, body: object) =>
    sales.request('POST', path, null, body, { 'cf-connecting-ip': address });

  it('counts a /48 as one, keeps no more than 500 of one thing, and decides nothing', async () => {
    const body = { ...REPORT, subjectId: listingId };
    for (const address of ['2001:db8:1:1::1', '2001:db8:1:2::1', '2001:db8:1:ffff::1', '198.51.100.7']) {
      expect((await from(address, '/reports', body)).status).toBe(202);
    }
    expect(await caseOf()).toMatchObject({ reports: 2 });
    const [open] = await queue();
    const rows = Array.from({ length: 497 }, (_, n) => ({
      sql: `INSERT INTO reports (subject_type, subject_id, reporter, case_id, reason, created_at)
        VALUES ('listing', ?, ?, ?, 'deception', '2026-01-01T00:00:00.000Z')`,
      params: [listingId, `network ${n}`, open?.id ?? ''],
    }));
    await sales.market.newPorts().market.commit(rows);
    for (const address of ['198.51.100.8', '198.51.100.9', '198.51.100.10']) {
      expect((await from(address, '/reports', body)).status).toBe(202);
    }
    expect(await caseOf()).toMatchObject({ reports: 500 });
    expect(await statusOf()).toBe('active');
  });

  it('is as many a day from one network as inquiries are, over both ways together', async () => {
    const limited = createSalesMarketplace(
      {},
      { variables: { DAILY_LIMITS: JSON.stringify({ inquiry: { network: 5, key: 5, keysOfNetwork: 5 } }) } },
    );
    const statuses: number[] = [];
    for (let n = 0; n < 4; n += 1) {
      limited.market.clock.advance(61_000);
      for (const [path, body] of [
        ['/reports', { ...REPORT, subjectId: listingId }],
        ['/inquiries', { subject: `listing ${listingId} deception`, message: 'Noise.', category: 'report' }],
      ] as const) {
        const address = { 'cf-connecting-ip': '198.51.100.20' };
        statuses.push((await limited.request('POST', path, null, body, address)).status);
      }
    }
    expect(statuses).toEqual([202, 201, 202, 201, 202, 429, 429, 429]);
  });
});

describe('a report by contact_marketplace', () => {
  const write = (by: RegisteredAgent | null, fields: object) =>
    createMcpFace(sales.market).callTool('contact_marketplace', {
      message: 'It delivers noise.',
      category: 'report',
      ...(by === null ? {} : { api_key: by.apiKey }),
      ...fields,
    });

  it('is in the queue like any other, once for each network', async () => {
    const [reporter] = await strangers(1);
    if (!reporter) throw new Error('Nobody.');
    const subject = `Listing: ${listingId}, deception`;
    expect((await write(reporter, { subject })).isError).toBeUndefined();
    expect((await report(reporter)).status).toBe(202);
    expect(await caseOf()).toMatchObject({
      reports: 1,
      firstReports: [{ reason: 'deception', text: 'It delivers noise.' }],
    });
  });

  it('is refused as POST /reports refuses it, and then opens no thread', async () => {
    const count = async () => (await sales.rows('SELECT 1 FROM inquiries')).length;
    const before = await count();
    for (const [by, subject, code] of [
      [null, 'It is bad', 'validation_failed'],
      [null, `listing ${listingId} because`, 'validation_failed'],
      [null, `listing ${crypto.randomUUID()} deception`, 'report_subject_not_found'],
      [seller, `listing ${listingId} deception`, 'own_subject'],
    ] as const) {
      const { isError, structuredContent } = await write(by, { subject });
      expect([isError, structuredContent?.code]).toEqual([true, code]);
    }
    expect(await count()).toBe(before);
    expect(await caseOf()).toBeUndefined();
  });

  it('is open to a suspended agent, as its inquiries are', async () => {
    const suspended = await sales.newAgent();
    const body = { suspended: true, rule: 'deception', reason: 'Noise.' };
    await sales.request('POST', `/admin/agents/${suspended.id}/suspension`, null, body, AS_OPERATOR);
    expect((await write(suspended, { subject: `listing ${listingId} deception` })).isError).toBeUndefined();
    expect((await report(suspended)).status).toBe(202);
  });
});

describe('a decision', () => {
  it('blocks, tells both sides, and is made once', async () => {
    const [reporter] = await strangers(1);
    if (!reporter) throw new Error('Nobody.');
    await report(reporter);
    const found = await caseOf();
    const id = found?.id ?? '';
    expect((await decide(id, BLOCK)).status).toBe(200);
    expect(await statusOf()).toBe('inactive');
    expect((await decide(id, BLOCK)).body.code).toBe('case_decided');
    expect(await caseOf(listingId, 'decided')).toMatchObject({ id, decidedBy: 'operator' });
    for (const one of [seller, reporter]) {
      const told = await sales.rows(
        'SELECT 1 FROM agent_events WHERE agent_id = ? AND type = ?',
        one.id,
        'moderation.decided',
      );
      expect(told).toHaveLength(1);
    }
    const { body } = await sales.request('GET', '/admin/audit', null, undefined, AS_OPERATOR);
    const [action] = (body as unknown as { actions: object[] }).actions;
    expect(action).toMatchObject({
      statement: { operation: 'decideReport', subject: { id, type: 'moderation_case' } },
    });
  });

  it('limits or suspends the seller of a listing, and fits what it is about', async () => {
    for (const [action, state] of [
      ['limit', 'limited'],
      ['suspend', 'suspended'],
    ] as const) {
      const owner = await sales.seller();
      await report(null, { subjectType: 'agent', subjectId: owner.id });
      const id = (await caseOf(owner.id))?.id ?? '';
      for (const wrong of [
        BLOCK,
        { action, reason: 'No rule.' },
        { action: 'dismiss', rule: 'deception', reason: 'No.' },
      ]) {
        expect((await decide(id, wrong)).body.code).toBe('validation_failed');
      }
      expect((await decide(id, { action, rule: 'payment_fraud', reason: 'Cards.' })).status).toBe(200);
      expect((await sales.request('GET', '/agents/me', owner.apiKey)).body).toMatchObject({ state });
    }
    expect((await decide(crypto.randomUUID(), BLOCK)).body.code).toBe('case_not_found');
  });
});

describe('a notice', () => {
  const noticesOf = (one: RegisteredAgent) =>
    sales.rows<{ data: string }>(
      "SELECT data FROM agent_events WHERE agent_id = ? AND type = 'moderation.decided' ORDER BY sequence",
      one.id,
    );
  const mailsTo = (address: string) =>
    sales.rows<{ text: string }>(
      "SELECT text FROM mail_outbox WHERE purpose = 'moderation_notice' AND recipient = ? ORDER BY created_at",
      address,
    );
  async function giveAddress(one: RegisteredAgent): Promise<string> {
    const address = `${one.id}@example.com`;
    const sql = "UPDATE agents SET email = ?, email_verified_at = '2026-01-01T00:00:00.000Z' WHERE id = ?";
    await sales.market.newPorts().market.commit([{ sql, params: [address, one.id] }]);
    return address;
  }
  const appealBy = (link: string) => {
    const url = new URL(link);
    const [decisionId, token] = [url.pathname.split('/').at(-1), url.hash.replace('#token=', '')];
    return sales.request('POST', '/appeals', null, { decisionId, token, text: 'It is music.' });
  };

  it('goes to both sides by event and by mail, with a link by which one side appeals once without a key', async () => {
    const [reporter] = await strangers(1);
    if (!reporter) throw new Error('Nobody.');
    const addresses = [await giveAddress(seller), await giveAddress(reporter)] as const;
    await report(reporter);
    const id = (await caseOf())?.id ?? '';
    await decide(id, BLOCK);
    const [toOwner, toReporter] = await Promise.all(addresses.map(mailsTo));
    expect(toOwner?.[0]?.text).toContain('Reason: Noise.');
    expect(toReporter?.[0]?.text).not.toContain('/appeals/');
    const link = /https?:\S+\/appeals\/\S+/.exec(toOwner?.[0]?.text ?? '')?.[0] ?? '';
    const [event] = await noticesOf(seller);
    expect(JSON.parse(event?.data ?? '')).toMatchObject({ id, action: 'block', appealUrl: link });
    expect(JSON.parse((await noticesOf(reporter))[0]?.data ?? '')).toMatchObject({ id, appealUrl: null });

    const forged = link.replace(seller.id, reporter.id);
    expect((await appealBy(forged)).body.code).toBe('decision_not_found');
    expect((await sales.request('POST', '/appeals', null, { decisionId: id, text: 'No.' })).body.code).toBe(
      'missing_api_key',
    );
    expect((await appealBy(link)).status).toBe(201);
    expect((await appealBy(link)).body.code).toBe('decision_appealed');
    expect((await appeal(seller, id)).body.code).toBe('decision_appealed');
    sales.market.clock.advance(1000);
    await endAppeal(id, 'overturned');
    for (const one of [seller, reporter]) {
      const last = JSON.parse((await noticesOf(one)).at(-1)?.data ?? '');
      expect(last).toMatchObject({ id, outcome: 'overturned', appealUrl: null });
    }
    const ended = await Promise.all(addresses.map(mailsTo));
    for (const mails of ended) expect(mails.at(-1)?.text).toContain('the decision was overturned');
  });

  it('tells whoever reported what an operator then blocks of its own accord, and counts them', async () => {
    const [reporter, ...others] = await strangers(3);
    if (!reporter) throw new Error('Nobody.');
    for (const one of [reporter, ...others]) await report(one);
    const reports = (await caseOf())?.reports;
    expect(reports).toBeGreaterThanOrEqual(3);
    const body = { blocked: true, rule: 'deception', reason: 'Noise.' };
    await sales.request('POST', `/admin/listings/${listingId}/block`, null, body, AS_OPERATOR);
    expect(await noticesOf(reporter)).toHaveLength(1);
    expect(await queue('decided')).toMatchObject([{ reports }]);
    expect(await queue()).toEqual([]);
  });
});

describe('a report without a key', () => {
  async function reported(by: RegisteredAgent | null, subjectId = listingId) {
    const { status, body } = await report(by, { subjectId });
    const { statusUrl } = body as unknown as { statusUrl: string };
    return { status, statusUrl };
  }
  const statusOfReport = (statusUrl: unknown, of = listingId) => {
    const token = new URL(String(statusUrl)).hash.replace('#token=', '');
    return sales.request('GET', `/reports/${of}?token=${encodeURIComponent(token)}`, null);
  };

  it('has a link that shows how it stands and what was decided, and nothing else, until it is deleted', async () => {
    const { status, statusUrl } = await reported(null);
    expect(status).toBe(202);
    expect(new URL(statusUrl).search).toBe('');
    // Sent again it is answered alike; with a key one is told.
    expect((await reported(null)).statusUrl).toBe(statusUrl);
    const [keyed] = await strangers(1);
    expect((await reported(keyed ?? null)).statusUrl).toBeNull();
    expect((await statusOfReport(statusUrl)).body).toMatchObject({ state: 'open', action: null, rule: null });

    const id = (await caseOf())?.id ?? '';
    await decide(id, { ...BLOCK, reason: 'zqreason' });
    const decided = await statusOfReport(statusUrl);
    expect(decided.body).toMatchObject({
      state: 'decided',
      action: 'block',
      rule: 'deception',
      outcome: null,
    });
    const shown = ['action', 'appealedAt', 'decidedAt', 'outcome', 'rule', 'state'];
    expect(Object.keys(decided.body).sort()).toEqual([...shown, 'subjectId', 'subjectType']);
    expect(JSON.stringify(decided.body)).not.toMatch(/zqreason|noise/);
    await appeal(seller, id);
    await endAppeal(id, 'overturned');
    expect((await statusOfReport(statusUrl)).body).toMatchObject({ state: 'decided', outcome: 'overturned' });

    sales.market.clock.advance(365 * DAY_MS);
    await runEveryMinute(sales.market.newPorts());
    const ended = await statusOfReport(statusUrl);
    expect([ended.status, ended.body.code]).toEqual([404, 'report_not_found']);
  });

  it('shares nothing with what the same network reports elsewhere, in its link or as it is stored', async () => {
    const other = (await sales.listing({ priceCents: 0 })).id;
    const links = [await reported(null), await reported(null, other)].map(({ statusUrl }) => statusUrl);
    const [first, second] = links.map((link) => link.split('#token=listing.')[1]?.split('.') ?? []);
    expect(first).toHaveLength(2);
    expect(first?.filter((part) => second?.includes(part))).toEqual([]);
    const stored = await sales.rows<{ reporter: string }>(
      `SELECT reporter FROM reports WHERE subject_id IN (?, ?) AND reporter <> 'marketplace'
        GROUP BY reporter HAVING COUNT(DISTINCT subject_id) > 1`,
      listingId,
      other,
    );
    expect(stored).toEqual([]);
  });

  it('opens with its own link alone', async () => {
    const { statusUrl } = await reported(null);
    const other = (await sales.listing({ priceCents: 0 })).id;
    await report(null, { subjectId: other });
    const [reporter] = await sales.rows<{ reporter: string }>(
      'SELECT reporter FROM reports WHERE subject_id = ?',
      listingId,
    );
    const forged = [
      [statusUrl, other],
      [statusUrl.replace('listing.', 'agent.'), listingId],
      [statusUrl.slice(0, -1), listingId],
      [statusUrl.replace(/[0-9a-f]{32}$/, '0'.repeat(32)), listingId],
      [`http://localhost/#token=listing.${reporter?.reporter}`, listingId],
      ['http://localhost/#token=', listingId],
    ] as const;
    for (const [link, of] of forged)
      expect((await statusOfReport(link, of)).body.code, link).toBe('report_not_found');
  });
});

it('a limit of an operator’s own accord has a rule, is told, and ends with an appeal', async () => {
  const path = `/admin/agents/${seller.id}/purchases`;
  const limit = (body: object) => sales.request('POST', path, null, body, AS_OPERATOR);
  for (const wrong of [{ limited: true }, { limited: true, rule: 'payment_fraud' }]) {
    expect((await limit(wrong)).body.code).toBe('validation_failed');
  }
  expect((await limit({ limited: true, rule: 'payment_fraud', reason: 'Cards.' })).status).toBe(200);
  const found = await caseOf(seller.id, 'decided');
  expect(found).toMatchObject({ action: 'limit', rule: 'payment_fraud', reason: 'Cards.' });
  expect((await appeal(seller, found?.id ?? '')).status).toBe(201);
  expect((await sales.request('GET', '/agents/me', seller.apiKey)).body).toMatchObject({ state: 'limited' });
  expect((await endAppeal(found?.id ?? '', 'overturned')).status).toBe(200);
  expect((await sales.request('GET', '/agents/me', seller.apiKey)).body).toMatchObject({ state: 'active' });
});

describe('an appeal', () => {
  it('is heard once, by whom the decision concerns, and can lift it', async () => {
    await report(null);
    const id = (await caseOf())?.id ?? '';
    expect((await appeal(seller, id)).body.code).toBe('decision_not_found');
    await decide(id, BLOCK);
    expect((await appeal(await sales.newAgent(), id)).body.code).toBe('decision_not_found');
    expect((await appeal(seller, id)).status).toBe(201);
    expect((await appeal(seller, id)).body.code).toBe('decision_appealed');
    expect(await caseOf(listingId, 'appealed')).toMatchObject({ id, appealText: 'It is music.' });
    expect((await endAppeal(id, 'overturned')).status).toBe(200);
    expect(await statusOf()).toBe('active');
    expect((await endAppeal(id, 'upheld')).body.code).toBe('no_open_appeal');
    expect((await appeal(seller, id)).body.code).toBe('decision_appealed');
  });

  it('is open to a suspended agent, against what an operator did of its own accord as well', async () => {
    const body = { suspended: true, rule: 'deception', reason: 'Noise.' };
    await sales.request('POST', `/admin/agents/${seller.id}/suspension`, null, body, AS_OPERATOR);
    const id = (await caseOf(seller.id, 'decided'))?.id ?? '';
    expect((await appeal(seller, id)).status).toBe(201);
    expect((await endAppeal(id, 'upheld')).status).toBe(200);
    expect((await sales.request('GET', '/agents/me', seller.apiKey)).body).toMatchObject({
      state: 'suspended',
    });
  });

  it('against a dismissal is its reporter’s, and puts it before operators again', async () => {
    const reporter = await sales.newAgent();
    await report(reporter);
    const id = (await caseOf())?.id ?? '';
    await decide(id, { action: 'dismiss', reason: 'It is music.' });
    expect((await appeal(seller, id)).body.code).toBe('decision_not_found');
    expect((await appeal(reporter, id)).status).toBe(201);
    expect((await endAppeal(id, 'overturned')).status).toBe(200);
    expect(await caseOf()).toMatchObject({ reports: 0 });
  });

  it('ends as its operator says also where the block was lifted meanwhile', async () => {
    await report(null);
    const found = await caseOf();
    await decide(found?.id ?? '', BLOCK);
    await appeal(seller, found?.id ?? '');
    const lifted = await sales.request(
      'POST',
      `/admin/listings/${found?.subjectId}/block`,
      null,
      { blocked: false, reason: 'A mistake.' },
      AS_OPERATOR,
    );
    expect(lifted.status).toBe(200);
    expect((await endAppeal(found?.id ?? '', 'overturned')).status).toBe(200);
  });

  it('is decided by another operator than decided first, where there is one', async () => {
    await report(null);
    const id = (await caseOf())?.id ?? '';
    await decide(id, BLOCK);
    await appeal(seller, id);
    const made = await sales.request(
      'POST',
      '/admin/operators',
      null,
      { name: 'Ada', role: 'support', reason: 'Appeals.' },
      AS_OPERATOR,
    );
    expect(made.status).toBe(201);
    const { secret } = made.body as unknown as { secret: string };
    expect((await endAppeal(id, 'upheld')).body.code).toBe('own_decision');
    const path = `/admin/reports/${id}/appeal`;
    const end = { outcome: 'overturned', reason: 'Heard again.' };
    expect((await sales.request('POST', path, null, end, { 'x-mkt-admin': secret })).status).toBe(200);
    expect(await statusOf()).toBe('active');
  });
});
