import { describe, expect, it } from 'vitest';
import { clause } from './clause.ts';
import { createService, DATE_TIME } from './service.ts';

const service = createService();

const BANDS = {
  microUnderCents: 2000,
  standardBps: 500,
  highTicketAtCents: 5_000_000,
  highTicketBps: 50,
  highTicketFloorCents: 24_900,
  highTicketCapCents: 499_500,
};

describe('Fee schedule (GET /meta)', () => {
  clause(
    'fees.constants',
    'fees.founding',
    'fees.lock',
    'meta.top-level',
    'meta.bands',
    'meta.lock-until',
    'meta.brand',
    'stats.meta',
  );
  it('top-level fields', async () => {
    const { status, body } = await service.get('/meta');
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...BANDS, buyerBps: 0, foundingFill: true });
    expect(String(body.lockUntil)).toMatch(/^2027-06-30/);
    expect(body.generatedAt).toMatch(DATE_TIME);
    expect(body.brand).toMatchObject({ name: expect.stringMatching(/\w/) });
    const members =
      'platform operator established brand patent_status metric_definitions demand_ledger receipt_verification llms_txt';
    for (const member of members.split(' ')) expect(body, member).toHaveProperty(member);
  });

  clause('fees.buyer', 'fees.listing', 'fees.schedule-version', 'fees.closing-rate', 'meta.fees');
  it('fees object', async () => {
    const { body } = await service.get('/meta');
    expect(body.fees).toMatchObject({
      seller_fee_bps: 500,
      seller_keep_bps: 9500,
      buyer_fee_bps: 0,
      listing_fee_bps: 0,
      rate_change_notice_days: 60,
      settled_sales_keep_closing_rate: true,
      banded: true,
      schedule_version: 1,
      bands: BANDS,
    });
    const fees = body.fees as { schedule_history: unknown; change_notice: unknown };
    expect(fees.schedule_history).toEqual((await service.get('/fees')).body.history);
    expect(fees.change_notice).toMatch(/60 days/);
  });

  clause('meta.rails');
  it('rails object: default, and autonomous x402_usdc_base', async () => {
    const { body } = await service.get('/meta');
    expect(body.rails).toEqual({ default: 'CARD', autonomous: 'x402_usdc_base' });
  });
});

describe('GET /fees', () => {
  clause('versioning.schedule');
  it('the schedule history, with notice and lock date', async () => {
    const { status, body } = await service.get('/fees');
    expect(status).toBe(200);
    expect(body).toMatchObject({ rateChangeNoticeDays: 60, lockUntil: '2027-06-30' });
    expect(body.history).toEqual([expect.objectContaining({ version: 1, bands: BANDS })]);
  });
});
