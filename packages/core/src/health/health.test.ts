import { sha256Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { clause } from '../../../../test/conformance/clause.ts';
import { DAY_MS } from '../kernel/time.ts';
import { sweepSearchOutbox } from '../listings/index.ts';
import { sellerOf } from '../testing/doubles/fake-seller-endpoint.ts';
import {
  ATTESTED,
  HEALTH_CONSENT,
  HEALTH_LISTING,
  newHealthListingOf,
  SIGNER,
} from '../testing/fixtures/health-data.ts';
import { checkSignature, digestOfSorted, type Receipt } from '../testing/marketplace/read-signed.ts';
import { createSalesMarketplace } from '../testing/marketplace/sales-marketplace.ts';
import { eraseExpiredConsents } from './index.ts';

const sales = createSalesMarketplace();
const { market, rows } = sales;
const YEAR_MS = 365.25 * DAY_MS;

afterEach(async () => {
  market.market.fault = () => undefined;
  market.sellerEndpoint.script = sellerOf({ pulse: [61, 60] });
  await market.background.settled();
});
market.sellerEndpoint.script = sellerOf({ pulse: [61, 60] });

type Body = Record<string, unknown>;
interface Reply {
  readonly status: number;
  readonly body: Body;
}
interface Statement extends Receipt {
  readonly statement: Body;
}

const send = async (method: string, path: string, apiKey: string | null, body?: object, headers = {}) =>
  (await sales.request(method, path, apiKey, body, headers)) as unknown as Reply;
const list = (apiKey: string, fields: Body = {}, headers = {}) =>
  send('POST', '/health-data/listings', apiKey, { ...HEALTH_LISTING, ...fields }, headers);
const idOf = ({ body }: Reply) => (body.listing as { id: string }).id;
const consentOf = (id: string, apiKey: string | null = null) =>
  send('GET', `/health-data/listings/${id}/consent`, apiKey);
const change = (id: string, apiKey: string, fields: Body) =>
  send('PATCH', `/marketplace/listings/${id}`, apiKey, fields);
const buy = (id: string, apiKey: string | null, body: object = ATTESTED) =>
  send('POST', `/marketplace/listings/${id}/purchase`, apiKey, body);
const erase = () => eraseExpiredConsents(market.newPorts());

const count = async (sql: string, ...params: string[]) => (await rows<{ n: number }>(sql, ...params))[0]?.n;
const kept = async (sellerId: string) => ({
  listings: await count('SELECT COUNT(*) AS n FROM listings WHERE seller_id = ?', sellerId),
  consents: await count(
    'SELECT COUNT(*) AS n FROM health_consents JOIN listings ON id = listing_id WHERE seller_id = ?',
    sellerId,
  ),
});

async function verifies({ statement, ...receipt }: Statement): Promise<void> {
  expect(await digestOfSorted(statement)).toBe(receipt.digest);
  await checkSignature(receipt);
  const { body } = await send('POST', '/verify-receipt', null, { receipt, payload: statement });
  expect(body.valid).toBe(true);
}

async function funded(amountCents = 20_000) {
  const buyer = await sales.newAgent();
  await sales.fund(buyer, amountCents);
  return buyer;
}

describe('a consent', () => {
  it('is written with its listing, once, whatever happens to the connection', async () => {
    for (const fault of ['lose_request', 'lose_reply'] as const) {
      const seller = await sales.seller();
      const key = { 'idempotency-key': `list ${fault}` };
      market.market.fault = (sql) =>
        sql.some((text) => text.includes('health_consents')) ? fault : undefined;
      const first = await list(seller.apiKey, {}, key);
      expect([fault, first.status]).toEqual([fault, 503]);
      market.market.fault = () => undefined;
      const written = fault === 'lose_reply' ? 1 : 0;
      expect(await kept(seller.id)).toEqual({ listings: written, consents: written });

      const second = await list(seller.apiKey, {}, key);
      expect(second.status).toBe(201);
      expect(await kept(seller.id)).toEqual({ listings: 1, consents: 1 });
      const { record } = second.body.consent as { record: Statement };
      expect((await consentOf(idOf(second))).body.record).toEqual(record);
      await verifies(record);
    }
  });

  it('leaves nothing behind when it is refused', async () => {
    const seller = await sales.seller();
    for (const wrong of [
      { consent: { ...HEALTH_CONSENT, dataIsOwn: false } },
      { consent: { ...HEALTH_CONSENT, sellerState: 'WA' } },
      { title: `Pulse of ${SIGNER}` },
      { dataDate: '2999-01-01' },
      { demographics: { note: '123-45-6789' } },
    ]) {
      expect((await list(seller.apiKey, wrong)).status).toBe(400);
    }
    expect(await kept(seller.id)).toEqual({ listings: 0, consents: 0 });
  });

  it('shows its signer to nobody else', async () => {
    const [seller, other] = [await sales.seller(), await sales.newAgent()];
    const listed = await list(seller.apiKey);
    const id = idOf(listed);
    const { record, signerSalt } = listed.body.consent as { record: Statement; signerSalt: string };
    expect(record.statement.signerNameDigest).toBe(await sha256Digest(`${signerSalt}.${SIGNER}`));

    expect((await consentOf(id, seller.apiKey)).body.signer).toEqual({ legalName: SIGNER, salt: signerSalt });
    for (const key of [null, other.apiKey]) {
      const { status, body } = await consentOf(id, key);
      expect([status, body.signer]).toEqual([200, undefined]);
      expect(JSON.stringify(body)).not.toContain(signerSalt);
    }
    const everywhere = await Promise.all([
      send('GET', `/marketplace/listings/${id}`, null),
      send('GET', `/marketplace/listings/${id}/history`, null),
      send('GET', '/health-data/listings', null),
      send('GET', '/sell/me', seller.apiKey),
    ]);
    const said = JSON.stringify([...everywhere, listed, market.log.lines]);
    for (const part of [SIGNER, 'Josephine']) expect(said).not.toContain(part);
    // The answer is kept for repetitions of the request: the name must not be in it either.
    expect(JSON.stringify(await rows('SELECT * FROM idempotency_keys'))).not.toContain('Josephine');
  });

  it('can be neither deleted nor changed, nor erased before its time', async () => {
    const seller = await sales.seller();
    const id = await newHealthListingOf(market, seller);
    for (const sql of [
      'DELETE FROM health_consents WHERE listing_id = ?',
      "UPDATE health_consents SET record = '{}' WHERE listing_id = ?",
      "UPDATE health_consents SET retain_until = '2026-01-01T00:00:00.000Z' WHERE listing_id = ?",
      `UPDATE health_consents SET record = NULL, signer_legal_name = NULL, signer_salt = NULL,
        erased_at = '2027-01-01T00:00:00.000Z' WHERE listing_id = ?`,
      'UPDATE listings SET price_cents = 499 WHERE id = ?',
      "UPDATE listings SET listing_type = 'exclusive' WHERE id = ?",
      'UPDATE listings SET health_consent_verified = 0 WHERE id = ?',
    ]) {
      await expect(market.newPorts().market.commit([{ sql, params: [id] }]), sql).rejects.toThrow(
        'constraint',
      );
    }
    const { id: ordinary } = await sales.listing({ priceCents: 1000 }, seller);
    const sql = "UPDATE listings SET vertical_slug = 'personal-health' WHERE id = ?";
    await expect(market.newPorts().market.commit([{ sql, params: [ordinary] }])).rejects.toThrow(
      'constraint',
    );
  });
});

describe('a change of what was listed without a name', () => {
  it('cannot bring the name back, wherever it would show', async () => {
    const seller = await sales.seller();
    const id = await newHealthListingOf(market, seller);
    for (const [field, value] of [
      ['title', `Pulse of ${SIGNER}`],
      ['description', `Taken by ${SIGNER.toUpperCase()} at home.`],
      ['preview', { [SIGNER]: [61, 60] }],
      ['reason', `${SIGNER} asked for it`],
    ] as const) {
      const { status, body } = await change(id, seller.apiKey, { priceCents: 900, [field]: value });
      expect([field, status, body.code]).toEqual([field, 400, 'validation_failed']);
      expect((body.errors as { path: string }[]).map(({ path }) => path)).toEqual([field]);
    }
    const stop = await send('POST', `/marketplace/listings/${id}/deactivate`, seller.apiKey, {
      reason: `${SIGNER} wants out`,
    });
    expect(stop.status).toBe(400);
    const { body } = await send('GET', `/marketplace/listings/${id}/history`, null);
    expect(body.entries).toHaveLength(1);
    expect(JSON.stringify(body)).not.toContain('Josephine');
    expect((await change(id, seller.apiKey, { title: 'Pulse of somebody else' })).status).toBe(200);
  });

  it('is free to name who sells under the own name', async () => {
    const seller = await sales.seller();
    const consent = { ...HEALTH_CONSENT, deidentificationLevel: 'full_identified' };
    const id = await newHealthListingOf(market, seller, { consent });
    expect((await change(id, seller.apiKey, { title: `Pulse of ${SIGNER}` })).status).toBe(200);
  });
});

describe('a consent that had its six years', () => {
  clause('health.consent-retained');
  it('is erased once nothing rests on it, and not a moment before', async () => {
    const seller = await sales.seller();
    const buyer = await funded();
    const [sold, unsold, live] = [
      await newHealthListingOf(market, seller),
      await newHealthListingOf(market, seller),
      await newHealthListingOf(market, seller),
    ];
    const begun = market.clock.now();
    market.clock.advance(2 * YEAR_MS);
    expect((await buy(sold, buyer.apiKey)).body.status).toBe('held');
    for (const id of [sold, unsold])
      expect((await change(id, seller.apiKey, { active: false })).status).toBe(200);

    const { retainUntil } = (await consentOf(unsold)).body as { retainUntil: string };
    market.clock.advance(Date.parse(retainUntil) - market.clock.now() - 1);
    expect(await erase()).toBe(0);
    market.clock.advance(1);
    expect(market.clock.now()).toBeGreaterThan(begun + 6 * 365 * DAY_MS);
    expect(await erase()).toBe(1);
    expect(await erase()).toBe(0);

    const gone = (await consentOf(unsold, seller.apiKey)).body;
    expect(gone).toMatchObject({ record: null, erasedAt: retainUntil, retainUntil });
    expect(gone).not.toHaveProperty('signer');
    expect((await change(unsold, seller.apiKey, { active: true })).body.code).toBe('health_consent_gone');
    expect((await change(unsold, seller.apiKey, { title: 'Still mine to word' })).status).toBe(200);
    // Sold within six years, or still for sale.
    for (const id of [sold, live]) expect((await consentOf(id)).body.record).not.toBeNull();

    market.clock.advance(2 * YEAR_MS + DAY_MS);
    expect(await erase()).toBe(1);
    expect((await consentOf(sold)).body.record).toBeNull();
    expect((await consentOf(live)).body.record).not.toBeNull();
    expect(
      await rows('SELECT * FROM health_consents WHERE record IS NULL AND signer_legal_name IS NOT NULL'),
    ).toEqual([]);
  });

  it('is erased though the reply is lost, and stays if the request is', async () => {
    const seller = await sales.seller();
    const id = await newHealthListingOf(market, seller);
    await change(id, seller.apiKey, { active: false });
    market.clock.advance(7 * YEAR_MS);
    for (const [fault, isGone] of [
      ['lose_request', false],
      ['lose_reply', true],
    ] as const) {
      market.market.fault = (sql) => (sql.some((text) => /^update/i.test(text)) ? fault : undefined);
      await expect(erase()).rejects.toThrow();
      market.market.fault = () => undefined;
      expect((await consentOf(id)).body.record === null).toBe(isGone);
    }
    expect(await erase()).toBe(0);
  });

  it('keeps its listing off the market when both come at once', async () => {
    const seller = await sales.seller();
    const id = await newHealthListingOf(market, seller);
    await change(id, seller.apiKey, { active: false });
    market.clock.advance(7 * YEAR_MS);
    // The sweep comes after the listing was read and before it is written.
    let swept = false;
    market.market.fault = (sql) => {
      if (swept || !sql.some((text) => /update "listings"/i.test(text))) return undefined;
      swept = true;
      return 'lose_request';
    };
    expect((await change(id, seller.apiKey, { active: true })).status).toBe(503);
    market.market.fault = () => undefined;
    expect(swept).toBe(true);
    expect(await erase()).toBe(1);
    const sql = "UPDATE listings SET status = 'active' WHERE id = ?";
    await expect(market.newPorts().market.commit([{ sql, params: [id] }])).rejects.toThrow('health_listing');
  });
});

describe('a purchase of health data', () => {
  it('keeps what its buyer signed for, on every rail, for both sides', async () => {
    const seller = await sales.seller();
    const id = await newHealthListingOf(market, seller);
    const buyer = await funded();
    await sales.saveCard(buyer);
    const signed: Statement[] = [];
    for (const payment_method of ['wallet', 'card', 'checkout']) {
      const { status, body } = await buy(id, buyer.apiKey, { ...ATTESTED, payment_method });
      expect([payment_method, status]).toEqual([payment_method, 200]);
      const attestation = body.healthAttestation as Statement;
      expect(attestation.statement).toMatchObject({
        type: 'health_attestation',
        purchaseId: body.id,
        listingId: id,
        intendedUse: 'academic_research',
        notForInsurance: true,
        sellerId: seller.id,
        authorizedUses: ['research'],
      });
      await verifies(attestation);
      const read = await send('GET', `/marketplace/purchases/${body.id}`, buyer.apiKey);
      expect(read.body.healthAttestation).toEqual(attestation);
      if (payment_method !== 'checkout') signed.unshift(attestation);
    }

    const seen = await send('GET', `/health-data/listings/${id}/attestations`, seller.apiKey);
    expect(seen.body.total).toBe(2);
    const byDigest = (a: Statement, b: Statement) => (a.digest < b.digest ? -1 : 1);
    expect((seen.body.attestations as Statement[]).sort(byDigest)).toEqual(signed.sort(byDigest));
    expect(JSON.stringify(seen.body)).not.toContain(buyer.id);
    const stranger = await send('GET', `/health-data/listings/${id}/attestations`, buyer.apiKey);
    expect([stranger.status, stranger.body.code]).toEqual([403, 'not_listing_owner']);
    await sales.audit();
  });

  it('is one purchase with one attestation though the reply is lost', async () => {
    const seller = await sales.seller();
    const id = await newHealthListingOf(market, seller);
    const buyer = await funded();
    const key = { 'idempotency-key': 'health once' };
    market.market.fault = (sql) =>
      sql.some((text) => /insert into "purchases"/i.test(text)) ? 'lose_reply' : undefined;
    const path = `/marketplace/listings/${id}/purchase`;
    const first = await send('POST', path, buyer.apiKey, ATTESTED, key);
    market.market.fault = () => undefined;
    const second = await send('POST', path, buyer.apiKey, ATTESTED, key);
    expect([first.status, second.status, second.body.id]).toEqual([200, 200, first.body.id]);
    expect(second.body.healthAttestation).toEqual(first.body.healthAttestation);
    expect(await count('SELECT COUNT(*) AS n FROM purchases WHERE listing_id = ?', id)).toBe(1);
    await sales.audit();
  });

  it('is never without an attestation, nor through x402, whoever writes the row', async () => {
    const seller = await sales.seller();
    const id = await newHealthListingOf(market, seller);
    const buyer = await funded();
    const { body } = await buy(id, buyer.apiKey);
    const copy = (columns: string) => ({
      sql: `INSERT INTO purchases (id, listing_id, seller_id, buyer_id, status, amount_cents, platform_fee_cents,
          fee_schedule_version, listing_version, created_at, rail, health_attestation)
        SELECT ?, listing_id, seller_id, buyer_id, 'pending_payment', amount_cents, 0, 1, 1, created_at, ${columns}
        FROM purchases WHERE id = ?`,
      params: [market.ids.uuid(), String(body.id)],
    });
    const write = (columns: string) => market.newPorts().market.commit([copy(columns)]);
    await expect(write("'wallet', NULL")).rejects.toThrow('health_purchase');
    await expect(write("'x402', health_attestation")).rejects.toThrow('health_purchase');
    await write("'checkout', health_attestation");
  });

  it('of what the seller did not authorize is refused before anything is reserved', async () => {
    const seller = await sales.seller();
    const id = await newHealthListingOf(market, seller);
    const buyer = await funded();
    const { status, body } = await buy(id, buyer.apiKey, { ...ATTESTED, buyer_intended_use: 'ai_training' });
    expect([status, body.code, body.charged]).toEqual([422, 'intended_use_not_authorized', false]);
    expect(await count('SELECT COUNT(*) AS n FROM purchases WHERE listing_id = ?', id)).toBe(0);
  });
});

describe('searching health data', () => {
  it('gives exact totals for every subcategory, in every order, as a scan would', async () => {
    const seller = await sales.seller();
    const made: { id: string; subcategory: string; priceCents: number; title: string }[] = [];
    const kinds = ['imaging', 'genetic-data', 'dental-records'];
    for (let n = 0; n < 12; n += 1) {
      const subcategory = kinds[n % 3] ?? '';
      const fields = {
        subcategory,
        priceCents: 500 + ((n * 7) % 5) * 100,
        title: `Zorblax scan ${n % 4} of mine`,
      };
      made.push({ id: await newHealthListingOf(market, seller, fields), ...fields });
      market.clock.advance(1000);
    }
    const off = made.splice(4, 1)[0];
    // What earlier tests left undone.
    await sweepSearchOutbox(market.newPorts());
    await change(off?.id ?? '', seller.apiKey, { active: false });

    for (const subcategory of [undefined, ...kinds, 'vision-records']) {
      for (const q of ['zorblax', 'zorblax 3', '—', 'qqqzzz']) {
        const fits = made.filter(
          (one) =>
            (subcategory === undefined || one.subcategory === subcategory) &&
            (q === 'zorblax' || (q === 'zorblax 3' && one.title.includes(' 3 '))),
        );
        for (const sort of ['recent', 'price_asc', 'price_desc', 'popular']) {
          const query = new URLSearchParams({ q, sort, limit: '3', ...(subcategory ? { subcategory } : {}) });
          const { body } = await send('GET', `/health-data/listings?${query}`, null);
          const seen = body.listings as { id: string; priceCents: number }[];
          expect([String(query), body.total, seen.length]).toEqual([
            String(query),
            fits.length,
            Math.min(3, fits.length),
          ]);
          const prices = fits.map(({ priceCents }) => priceCents).sort((a, b) => a - b);
          if (sort === 'price_desc') prices.reverse();
          if (sort.startsWith('price'))
            expect(seen.map(({ priceCents }) => priceCents)).toEqual(prices.slice(0, 3));
          if (sort === 'recent')
            expect(seen.map(({ id }) => id)).toEqual(
              fits
                .map(({ id }) => id)
                .reverse()
                .slice(0, 3),
            );
        }
      }
      // Without words the totals come from counters.
      const counted = await send(
        'GET',
        `/health-data/listings${subcategory ? `?subcategory=${subcategory}` : ''}`,
        null,
      );
      const where = subcategory ? ' AND subcategory = ?' : '';
      expect(counted.body.total).toBe(
        await count(
          `SELECT COUNT(*) AS n FROM listings WHERE vertical_slug = 'personal-health' AND is_sample = 0
            AND status = 'active'${where}`,
          ...(subcategory ? [subcategory] : []),
        ),
      );
    }
  });

  it('walks an index for each subcategory and order', async () => {
    const { search } = market.newPorts();
    market.search.reset();
    for (const sort of ['recent', 'popular', 'price_asc', 'price_desc']) {
      await send('GET', `/health-data/listings?subcategory=imaging&sort=${sort}`, null);
    }
    const queries = market.search.roundTrips.flat();
    expect(queries).toHaveLength(8);
    for (const sql of queries) {
      const params = Array.from(sql.matchAll(/\?/g), () => 'imaging');
      const plan = await search.all<{ detail: string }>({ sql: `EXPLAIN QUERY PLAN ${sql}`, params });
      const steps = plan.map(({ detail }) => detail).join('; ');
      expect(steps).toMatch(
        /USING (INDEX documents_subcategory_\w+ \(vertical_slug=\? AND subcategory=\?\)|PRIMARY KEY)/,
      );
      expect(steps).not.toContain('TEMP B-TREE');
    }
  });
});
