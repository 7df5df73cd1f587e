import { beforeEach, describe, expect, it } from 'vitest';
import { keepDeadMessages, runEveryMinute } from '../../compose/jobs.ts';
import { DAY_MS, MINUTE_MS } from '../../kernel/time.ts';
import { createSalesMarketplace } from '../../testing/marketplace/sales-marketplace.ts';
import { TEST_ADMIN_SECRET } from '../../testing/marketplace/test-bindings.ts';
import { testBindings } from '../../testing/marketplace/workers-bindings.ts';
import type { HealthPart } from './health-parts.rules.ts';

interface Health {
  readonly status: string;
  readonly parts: readonly HealthPart[];
  readonly failingJobs: readonly { readonly job: string; readonly since: string }[];
}

const sales = createSalesMarketplace();
const { market, request } = sales;

async function health(): Promise<Health> {
  const found = await request('GET', '/admin/health', null, undefined, { 'x-mkt-admin': TEST_ADMIN_SECRET });
  expect(found.status).toBe(200);
  return found.body as unknown as Health;
}

const partOf = ({ parts }: Health, wanted: HealthPart['name']) => parts.find(({ name }) => name === wanted);
const minute = () => runEveryMinute(market.newPorts());

beforeEach(async () => {
  market.clock.advance(MINUTE_MS);
  market.depth.live = 3;
  await minute();
  // The log's Worker does not run here.
  await testBindings.DB.prepare('DELETE FROM log_outbox').run();
});

describe('the health of the platform', () => {
  it('is ok where everything ran; what the deployment lacks is off', async () => {
    const found = await health();
    expect(found).toMatchObject({ status: 'ok', failingJobs: [] });
    expect(found.parts.map(({ name, status }) => [name, status])).toEqual([
      ['backups', 'off'],
      ['chain', 'off'],
      ['database', 'ok'],
      ['events', 'ok'],
      ['jobs', 'ok'],
      ['log', 'ok'],
      ['mail', 'ok'],
      ['objects', 'ok'],
      ['processor', 'ok'],
      ['queues', 'ok'],
      ['search', 'ok'],
    ]);
  });

  it('tells of a first backup that it is not finished, and is late only after nine days', async () => {
    const began = new Date(market.clock.now()).toISOString();
    const set = (sql: string) => testBindings.DB.prepare(sql).run();
    await set(
      `INSERT INTO backups (id, state, started_at, cursor, schema_digest) VALUES ('first', 'rows', '${began}', '{"table":0,"after":null}', 'x')`,
    );
    market.clock.advance(42_000);
    const pending = { ageSeconds: null, lagSeconds: 42, status: 'ok', waiting: 1 };
    expect(partOf(await health(), 'backups')).toMatchObject(pending);
    await set(`UPDATE backups SET finished_at = '${new Date(market.clock.now()).toISOString()}'`);
    market.clock.advance(10_000);
    const finished = { ageSeconds: 10, lagSeconds: null, status: 'ok', waiting: 0 };
    expect(partOf(await health(), 'backups')).toMatchObject(finished);
    await set('UPDATE backups SET finished_at = NULL');
    market.clock.set(Date.parse(began) + 9 * 24 * 60 * MINUTE_MS);
    expect(partOf(await health(), 'backups')).toMatchObject({ status: 'ok' });
    market.clock.advance(1000);
    expect(partOf(await health(), 'backups')).toMatchObject({ ageSeconds: null, status: 'late' });
    await set('DELETE FROM backups');
  });

  it('tells how old the last run of the jobs is, and when that is too long ago', async () => {
    market.clock.advance(3 * MINUTE_MS);
    expect(partOf(await health(), 'jobs')).toMatchObject({ ageSeconds: 180, status: 'ok' });
    market.clock.advance(1000);
    expect(partOf(await health(), 'jobs')).toMatchObject({ ageSeconds: 181, status: 'late' });
    expect((await health()).status).toBe('late');
  });

  it('names a job that fails, with the minute it began to, until it succeeds', async () => {
    const ports = market.newPorts();
    const broken = {
      ...ports,
      signer: { ...ports.signer, activeKey: () => Promise.reject(new Error('No key.')) },
    };
    await runEveryMinute(broken);
    const since = new Date(market.clock.now()).toISOString();
    market.clock.advance(5 * MINUTE_MS);
    await runEveryMinute(broken);
    const failing = await health();
    expect(failing.failingJobs.map((one) => [one.job, one.since])).toContainEqual([
      'publish_signing_key',
      since,
    ]);
    expect(partOf(failing, 'jobs')).toMatchObject({ ageSeconds: 0, lagSeconds: 300, status: 'ok' });
    market.clock.advance(6 * MINUTE_MS);
    await runEveryMinute(broken);
    expect(partOf(await health(), 'jobs')).toMatchObject({ lagSeconds: 660, status: 'late' });
    await minute();
    expect((await health()).failingJobs).toEqual([]);
  });

  it('tells of messages that the queue gave up, and for how long the oldest waits', async () => {
    await keepDeadMessages(market.newPorts(), [{ id: 'dead', body: { kind: 'outbox' } }]);
    market.clock.advance(30_000);
    expect(partOf(await health(), 'queues')).toMatchObject({ lagSeconds: 30, status: 'late', waiting: 1 });
  });

  it('tells of statements that wait for the log, and when they have for a minute', async () => {
    await sales.listing();
    market.clock.advance(MINUTE_MS);
    expect(partOf(await health(), 'log')).toMatchObject({ lagSeconds: 60, status: 'ok', waiting: 1 });
    market.clock.advance(1000);
    expect(partOf(await health(), 'log')).toMatchObject({ lagSeconds: 61, status: 'late', waiting: 1 });
  });

  it('tells which part does not answer, and what is known of the others', async () => {
    market.depth.live = null;
    market.search.fault = () => 'lose_request';
    const found = await health();
    expect(found.status).toBe('down');
    const down = found.parts.filter(({ status }) => status === 'down').map(({ name }) => name);
    expect(down).toEqual(['objects', 'search']);
    expect(partOf(found, 'database')?.status).toBe('ok');
    market.search.fault = () => undefined;
    market.market.fault = () => 'lose_request';
    const without = await health();
    expect(without.parts.map(({ name, status }) => [name, status])).toEqual([
      ['database', 'down'],
      ['objects', 'down'],
      ['search', 'ok'],
    ]);
    market.market.fault = () => undefined;
  });
});

it('whoever watches from outside asks no database', async () => {
  market.clock.advance(DAY_MS);
  const before = market.market.count;
  const { status, body } = await request('GET', '/health', null);
  expect([status, body]).toMatchObject([200, { status: 'ok' }]);
  expect(market.market.count).toBe(before);
});
