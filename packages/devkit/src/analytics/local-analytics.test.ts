import {
  createAnalyticsReader,
  DATASET,
} from '@agent-marketplace/core/adapters/analytics/analytics-reader.ts';
import { FakeLog } from '@agent-marketplace/core/testing/doubles/recording-ports.ts';
import { newListingOf } from '@agent-marketplace/core/testing/fixtures/new-listing.ts';
import { newAgentOf } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { TEST_ADMIN_SECRET } from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import { createTestMarketplace } from '@agent-marketplace/core/testing/marketplace/workers-harness.ts';
import { afterAll, describe, expect, it } from 'vitest';
import { startLocalAnalytics } from './local-analytics.ts';

let at = 0;
const analytics = await startLocalAnalytics(':memory:', () => at);
afterAll(analytics.close);
const {
  ANALYTICS_ACCOUNT_ID: accountId,
  ANALYTICS_API_TOKEN: token,
  ANALYTICS_API_BASE: apiBase,
} = analytics.variables;
const log = new FakeLog();
const points: { readonly blobs: readonly string[] }[] = [];
const market = createTestMarketplace({
  dataset: {
    writeDataPoint(point) {
      at = market.clock.now();
      points.push(point);
      analytics.writeDataPoint(point);
    },
  },
  overrides: { metricsReader: createAnalyticsReader({ accountId, token, apiBase }, fetch, log) },
});

async function metrics(period: string) {
  const response = await market.request('GET', `/admin/metrics?period=${period}`, {
    headers: { 'x-mkt-admin': TEST_ADMIN_SECRET },
  });
  // biome-ignore lint/suspicious/noExplicitAny: the fields are compared below.
  return { status: response.status, body: (await response.json()) as any };
}

const ask = (sql: string, by = token) =>
  fetch(`${apiBase}/client/v4/accounts/${accountId}/analytics_engine/sql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${by}` },
    body: sql,
  });

describe('metrics', () => {
  it('count each request by operation, outcome and rail, and name nobody', async () => {
    const buyer = await newAgentOf(market, { name: 'Ada Lovelace', email: 'ada@example.com' });
    const { id } = await newListingOf(market);
    await market.request('GET', `/marketplace/listings/${id}`);
    market.clock.advance(3_600_000);
    await market.request('POST', `/marketplace/listings/${id}/purchase`, { apiKey: buyer.apiKey, body: {} });
    await market.request('GET', '/marketplace/listings/00000000-0000-4000-8000-000000000000');
    market.market.fault = () => 'lose_request';
    await market.request('GET', `/agents/me`, { apiKey: buyer.apiKey });
    market.market.fault = () => undefined;
    const { body } = await metrics('day');
    expect(body).toMatchObject({ bucketSeconds: 3600, isConfigured: true, period: 'day' });
    const of = (name: string) => body.operations.find((one: { operation: string }) => one.operation === name);
    // Before an id is called unknown, the primary is asked as well.
    expect(of('getListing')).toMatchObject({ requests: 2, refused: 1, failed: 0, roundTrips: 1.5 });
    expect(of('getOwnAgent')).toMatchObject({ requests: 1, refused: 0, failed: 1 });
    expect(of('purchaseListing')).toMatchObject({ requests: 1, failed: 0 });
    expect(body.rails).toEqual([{ failed: 0, rail: 'checkout', refused: 0, requests: 1 }]);
    const filled = body.buckets.filter(({ requests }: { requests: number }) => requests > 0);
    expect([body.buckets.length, filled.length, filled.at(-1)]).toMatchObject([
      24,
      2,
      { requests: 3, failed: 1, refused: 1 },
    ]);
    expect(body.buckets.at(0)).toMatchObject({ requests: 0, p50Ms: null, p95Ms: null });
    // Whatever a caller wrote, is called or has would be another word than these.
    const words = new Set(points.flatMap(({ blobs }) => blobs));
    expect([...words].filter((word) => !/^[A-Za-z_]*$/.test(word))).toEqual([]);
    expect([...words].join(' ')).not.toMatch(/Ada|example/);
  });

  it('are of the last hour, day or month', async () => {
    const { body: hour } = await metrics('hour');
    const { body: month } = await metrics('month');
    expect([hour.bucketSeconds, hour.buckets.length]).toEqual([60, 60]);
    expect([month.bucketSeconds, month.buckets.length]).toEqual([86_400, 30]);
    expect((await metrics('year')).status).toBe(400);
  });

  it('are refused, and said so in the log, where the token is not good', async () => {
    const reader = createAnalyticsReader({ accountId, token: 'other', apiBase }, fetch, log);
    expect(await reader.read({ from: 0, bucketSeconds: 60 })).toBeNull();
    expect(log.lines.at(-1)).toMatchObject({
      event: 'metrics_unavailable',
      fields: { message: 'Error: status 403' },
    });
  });

  it('are not read where nothing is configured', async () => {
    const other = createTestMarketplace();
    const response = await other.request('GET', '/admin/metrics', {
      headers: { 'x-mkt-admin': TEST_ADMIN_SECRET },
    });
    expect(await response.json()).toMatchObject({ isConfigured: false, buckets: [], operations: [] });
  });
});

describe('the stand-in for Workers Analytics Engine', () => {
  it.each([
    `SELECT blob21 AS b FROM ${DATASET}`,
    `SELECT blob1 AS a, SUM(double1) AS b FROM ${DATASET}`,
    `SELECT blob1 AS a FROM ${DATASET} WHERE blob1 = 1`,
    `SELECT blob1 AS a FROM ${DATASET} WHERE timestamp > '2026-01-01'`,
    `SELECT SUM(blob1) AS a FROM ${DATASET}`,
    `SELECT toStartOfInterval(timestamp, INTERVAL 1 DAY) AS a FROM ${DATASET}`,
    `SELECT median(double1) AS a FROM ${DATASET}`,
    `SELECT blob1 AS a FROM ${DATASET} JOIN other`,
    `SELECT blob1 AS a FROM ${DATASET}; SELECT 1`,
    'SELECT blob1 AS a FROM points',
    `DELETE FROM ${DATASET}`,
  ])('refuses %s', async (sql) => {
    expect((await ask(sql)).status).toBe(422);
  });

  it('weighs quantiles, and writes integers of 64 bits as text', async () => {
    const answer = (await (
      await ask(
        `SELECT quantileExactWeighted(0.5)(double3, _sample_interval) AS middle, COUNT() AS points, SUM(_sample_interval) AS all
         FROM ${DATASET} WHERE blob1 = 'getListing' FORMAT JSON`,
      )
    ).json()) as { data: unknown };
    expect(answer.data).toEqual([{ middle: 1, points: '2', all: '2' }]);
  });

  it('counts together what was recorded in one interval, whatever the second', async () => {
    for (const second of [7, 41]) {
      at = Date.UTC(2031, 0, 1, 0, 5, second);
      analytics.writeDataPoint({ indexes: [], blobs: ['rounded'], doubles: [] });
    }
    const answer = (await (
      await ask(
        `SELECT toUnixTimestamp(toStartOfInterval(timestamp, INTERVAL '60' SECOND)) AS bucket, COUNT() AS points
         FROM ${DATASET} WHERE blob1 = 'rounded' GROUP BY bucket FORMAT JSON`,
      )
    ).json()) as { data: unknown };
    expect(answer.data).toEqual([{ bucket: Date.UTC(2031, 0, 1, 0, 5) / 1000, points: '2' }]);
  });

  it.each([
    { indexes: ['a', 'b'], blobs: [], doubles: [] },
    { indexes: ['a'.repeat(97)], blobs: [], doubles: [] },
    { indexes: ['a'], blobs: Array(21).fill('b'), doubles: [] },
    { indexes: ['a'], blobs: [], doubles: Array(21).fill(1) },
    { indexes: ['a'], blobs: [1], doubles: [] },
  ])('refuses a data point beyond the limits', (point) => {
    expect(() => analytics.writeDataPoint(point)).toThrow(TypeError);
  });
});
