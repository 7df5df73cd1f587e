import { afterEach, describe, expect, it } from 'vitest';
import { sweepAttachments } from '../../inquiries/index.ts';
import { DAY_MS, isoTime } from '../../kernel/time.ts';
import { sellerOf } from '../../testing/doubles/fake-seller-endpoint.ts';
import { base64, file } from '../../testing/fixtures/new-inquiry.ts';
import type { RegisteredAgent } from '../../testing/fixtures/new-seller.ts';
import { createSalesMarketplace } from '../../testing/marketplace/sales-marketplace.ts';
import { TEST_ADMIN_SECRET } from '../../testing/marketplace/test-bindings.ts';

const sales = createSalesMarketplace();
const { market } = sales;
const AS_OPERATOR = { 'x-mkt-admin': TEST_ADMIN_SECRET };

afterEach(async () => {
  await market.background.settled();
  await sales.audit();
});

interface Statement {
  readonly id: string;
  readonly from: string;
  readonly body: string;
  readonly attachments: readonly { readonly filename: string; readonly url: string }[];
}

interface Shown {
  readonly code?: string;
  readonly evidenceBy: string;
  readonly isOpen: boolean;
  readonly reason?: string;
  readonly statements: readonly Statement[];
}

async function disputed() {
  market.sellerEndpoint.script = sellerOf({ answer: 42 });
  const listing = await sales.listing({ priceCents: 4000 });
  const buyer = await sales.newAgent();
  await sales.fund(buyer, 4000);
  const { body } = await sales.buy(listing.id, buyer, { body: { payment_method: 'wallet' } });
  const path = `/marketplace/purchases/${body.id}/dispute`;
  await sales.request('POST', path, buyer.apiKey, { reason: 'For the operator alone.' });
  return { ...listing, buyer, path, adminPath: `/admin/disputes/${body.id}`, purchaseId: body.id };
}

type Disputed = Awaited<ReturnType<typeof disputed>>;

async function say({ path }: Disputed, by: RegisteredAgent, fields: object) {
  const { status, body } = await sales.request('POST', `${path}/statements`, by.apiKey, fields);
  return { status, body: body as unknown as { code?: string; statement: Statement } };
}

async function read(path: string, by: RegisteredAgent | null, headers = {}) {
  const { status, body } = await sales.request('GET', path, by?.apiKey ?? null, undefined, headers);
  return { status, body: body as unknown as Shown };
}

const bytesOf = (path: string, by: RegisteredAgent | null, headers = {}) =>
  market.request('GET', path, { headers, ...(by && { apiKey: by.apiKey }) });

describe('evidence in a dispute', () => {
  it('of either party is read by the other and the operator, with its files, and by nobody else', async () => {
    const dispute = await disputed();
    const { buyer, seller, path, adminPath } = dispute;
    const said = await say(dispute, buyer, {
      body: 'The almanac says 09:31.',
      attachments: [file('almanac', { filename: 'almanac.txt' })],
    });
    expect(said.status).toBe(201);
    expect((await say(dispute, seller, { body: 'It says 10:31 since Monday.' })).status).toBe(201);
    const asked = await sales.request(
      'POST',
      `${adminPath}/statements`,
      null,
      { body: 'Which Monday?' },
      AS_OPERATOR,
    );
    expect(asked.status).toBe(201);

    for (const party of [buyer, seller]) {
      const { status, body } = await read(path, party);
      expect([status, body.isOpen, body.statements.map(({ from, body: text }) => [from, text])]).toEqual([
        200,
        true,
        [
          ['buyer', 'The almanac says 09:31.'],
          ['seller', 'It says 10:31 since Monday.'],
          ['operator', 'Which Monday?'],
        ],
      ]);
      expect(JSON.stringify(body)).not.toContain('For the operator alone.');
      const url = body.statements[0]?.attachments[0]?.url ?? '';
      const sent = await bytesOf(url, party);
      expect([sent.status, sent.headers.get('content-disposition'), await sent.text()]).toEqual([
        200,
        expect.stringContaining('attachment'),
        'almanac',
      ]);
    }
    const ofOperator = await read(adminPath, null, AS_OPERATOR);
    expect(ofOperator.body).toMatchObject({ reason: 'For the operator alone.', isOpen: true });
    const adminUrl = ofOperator.body.statements[0]?.attachments[0]?.url ?? '';
    expect(await (await bytesOf(adminUrl, null, AS_OPERATOR)).text()).toBe('almanac');

    const url = said.body.statement.attachments[0]?.url ?? '';
    const stranger = await sales.newAgent();
    expect((await read(path, stranger)).status).toBe(403);
    expect((await read(path, null)).status).toBe(401);
    expect((await bytesOf(url, stranger)).status).toBe(403);
    expect((await bytesOf(url, null)).status).toBe(401);
    expect((await say(dispute, stranger, { body: 'Me too.' })).status).toBe(403);
    // A file is of its own dispute alone, whoever knows its id.
    const other = await disputed();
    const fileId = url.split('/').at(-1) ?? '';
    expect((await bytesOf(`${other.path}/attachments/${fileId}`, other.buyer)).status).toBe(404);
    expect((await bytesOf(`/relay/attachments/${fileId}`, null)).status).toBe(404);
  });

  it('is told to whoever did not say it, by event and by mail, and nothing of what it says', async () => {
    const dispute = await disputed();
    const { buyer, seller, adminPath, purchaseId } = dispute;
    for (const [party, { id }] of Object.entries({ buyer, seller }))
      await sales.rows(
        'UPDATE agents SET email = ?, email_verified_at = ? WHERE id = ?',
        `${party}@statements.example`,
        isoTime(market.clock.now()),
        id,
      );
    const noticesOf = async ({ id }: RegisteredAgent) =>
      (
        await sales.rows<{ type: string; data: string }>(
          "SELECT type, data FROM agent_events WHERE agent_id = ? AND type LIKE '%.dispute_statement' ORDER BY sequence",
          id,
        )
      ).map(({ type, data }) => ({ type, ...(JSON.parse(data) as { from: string; statementId: string }) }));
    const mailsTo = (party: string) =>
      sales.rows<{ text: string }>(
        "SELECT text FROM mail_outbox WHERE purpose = 'statement_notice' AND recipient = ?",
        `${party}@statements.example`,
      );

    const said = await say(dispute, buyer, { body: 'The almanac says 09:31.' });
    const ofSale = { amountCents: 4000, listingId: dispute.id, purchaseId, status: 'held' };
    const { id: statementId } = said.body.statement;
    expect(await noticesOf(buyer)).toEqual([]);
    expect(await noticesOf(seller)).toEqual([
      { type: 'sale.dispute_statement', ...ofSale, from: 'buyer', statementId },
    ]);
    expect([await mailsTo('buyer'), (await mailsTo('seller')).length]).toEqual([[], 1]);
    await say(dispute, seller, { body: 'The almanac is wrong.' });
    await sales.request('POST', `${adminPath}/statements`, null, { body: 'Which almanac?' }, AS_OPERATOR);
    expect((await noticesOf(buyer)).map(({ type, from }) => [type, from])).toEqual([
      ['purchase.dispute_statement', 'seller'],
      ['purchase.dispute_statement', 'operator'],
    ]);
    expect((await noticesOf(seller)).map(({ from }) => from)).toEqual(['buyer', 'operator']);
    const dashboard = await sales.request('GET', '/sell/me', seller.apiKey);
    const { notifications } = dashboard.body as unknown as { notifications: { type: string }[] };
    expect(notifications.filter(({ type }) => type === 'sale.dispute_statement')).toHaveLength(2);
    const mails = [...(await mailsTo('buyer')), ...(await mailsTo('seller'))].map(({ text }) => text);
    expect(mails).toHaveLength(4);
    expect(mails.filter((text) => text.includes('/seller/disputes'))).toHaveLength(2);
    for (const text of mails) {
      expect(text).toContain(purchaseId);
      expect(text).not.toContain('almanac');
    }
  });

  it('cannot use up the mails of another kind', async () => {
    const dispute = await disputed();
    await sales.rows(
      'UPDATE agents SET email = ?, email_verified_at = ? WHERE id = ?',
      'patient@statements.example',
      isoTime(market.clock.now()),
      dispute.seller.id,
    );
    for (let n = 0; n < 10; n += 1) await say(dispute, dispute.buyer, { body: `${n}.` });
    await sales.request('POST', `${dispute.adminPath}/decision`, null, { decision: 'refund' }, AS_OPERATOR);
    const mails = await sales.rows<{ purpose: string; n: number }>(
      'SELECT purpose, COUNT(*) AS n FROM mail_outbox WHERE recipient = ? GROUP BY purpose ORDER BY purpose',
      'patient@statements.example',
    );
    expect(mails).toEqual([
      { purpose: 'account_notice', n: 1 },
      { purpose: 'statement_notice', n: 10 },
    ]);
  });

  it('is mailed to a buyer without a key, who gave an address', async () => {
    const dispute = await disputed();
    await sales.rows(
      'UPDATE purchases SET buyer_id = NULL, email = ? WHERE id = ?',
      'keyless@statements.example',
      dispute.purchaseId,
    );
    await say(dispute, dispute.seller, { body: 'Look again.' });
    const mails = await sales.rows<{ text: string }>(
      "SELECT text FROM mail_outbox WHERE purpose = 'statement_notice' AND recipient = ?",
      'keyless@statements.example',
    );
    expect(mails.map(({ text }) => text)).toEqual([expect.stringContaining('page of your purchase')]);
    await sales.rows(
      'UPDATE purchases SET buyer_id = ?, email = NULL WHERE id = ?',
      dispute.buyer.id,
      dispute.purchaseId,
    );
  });

  it('is waited for a week, and taken until the decision', async () => {
    const dispute = await disputed();
    const { body } = await read(dispute.path, dispute.seller);
    expect(Date.parse(body.evidenceBy)).toBe(market.clock.now() + 7 * DAY_MS);
    await sales.request('POST', `${dispute.adminPath}/decision`, null, { decision: 'release' }, AS_OPERATOR);
    expect((await say(dispute, dispute.buyer, { body: 'Too late.' })).body.code).toBe('evidence_closed');
    expect((await read(dispute.path, dispute.buyer)).body).toMatchObject({ isOpen: false, statements: [] });
  });

  it('is at most ten statements of each party', async () => {
    const dispute = await disputed();
    const codes = [];
    for (let n = 0; n < 11; n += 1)
      codes.push((await say(dispute, dispute.seller, { body: `${n}.` })).body.code);
    expect(codes).toEqual([...Array(10).fill(undefined), 'evidence_full']);
    expect((await say(dispute, dispute.buyer, { body: 'Mine is the first.' })).status).toBe(201);
  });

  it('is asked for where nothing is disputed', async () => {
    const listing = await sales.listing({ priceCents: 400 });
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 1000);
    const { body } = await sales.buy(listing.id, buyer, { body: { payment_method: 'wallet' } });
    const path = `/marketplace/purchases/${body.id}/dispute`;
    expect((await read(path, buyer)).body.code).toBe('not_disputed');
    const { body: refused } = await sales.request('POST', `${path}/statements`, buyer.apiKey, {
      body: 'But.',
    });
    expect(refused.code).toBe('not_disputed');
  });

  it('is stored before it is said, and its bytes stay as long as its statement', async () => {
    const dispute = await disputed();
    const stored = market.attachments.objects.size + 1;
    await say(dispute, dispute.buyer, { body: 'See.', attachments: [file('kept'), file('kept')] });
    await say(dispute, dispute.seller, { body: 'See.', attachments: [file('kept')] });
    expect(market.attachments.objects.size).toBe(stored);
    await sales.pass(3 * DAY_MS);
    await sweepAttachments(market.newPorts());
    expect(market.attachments.objects.size).toBe(stored);

    market.attachments.fault = () => 'lose_request';
    const before = await sales.rows<{ n: number }>('SELECT COUNT(*) AS n FROM dispute_statements');
    const { status } = await say(dispute, dispute.buyer, { body: 'More.', attachments: [file('lost')] });
    market.attachments.fault = () => undefined;
    expect([status, await sales.rows('SELECT COUNT(*) AS n FROM dispute_statements')]).toEqual([503, before]);
  });

  it.each(['lose_request', 'lose_reply'] as const)(
    'is said once, whatever becomes of the commit: %s',
    async (fault) => {
      const dispute = await disputed();
      const again = { 'idempotency-key': `evidence-${fault}` };
      const send = () =>
        sales.request('POST', `${dispute.path}/statements`, dispute.seller.apiKey, { body: 'Once.' }, again);
      market.market.fault = (sql) =>
        sql.some((one) => one.includes('into "dispute_statements"')) ? fault : undefined;
      expect((await send()).status).toBe(503);
      market.market.fault = () => undefined;
      expect((await send()).status).toBe(201);
      expect((await read(dispute.path, dispute.seller)).body.statements).toHaveLength(1);
      const events = await sales.events(dispute.buyer.id);
      expect(events.filter(({ type }) => type === 'purchase.dispute_statement')).toHaveLength(1);
    },
  );

  it('refuses bad files before anything is written', async () => {
    const dispute = await disputed();
    const bad = { filename: 'a.txt', contentType: 'text/plain', contentBase64: `${base64('a')}!` };
    const { status, body } = await say(dispute, dispute.seller, { body: 'See.', attachments: [bad] });
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect((await read(dispute.path, dispute.seller)).body.statements).toEqual([]);
  });
});
