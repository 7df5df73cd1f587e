import { beforeEach, describe, expect, it } from 'vitest';
import { createMailAlarms, createWebhookAlarms } from '../../adapters/alarms/alarm-channel.ts';
import { runEveryMinute } from '../../compose/jobs.ts';
import type { AlarmNotice } from '../../kernel/ports/alarm-channel.ts';
import { DAY_MS, isoTime, MINUTE_MS } from '../../kernel/time.ts';
import { FakeMail } from '../../testing/doubles/fake-mail.ts';
import { FakeLog } from '../../testing/doubles/recording-ports.ts';
import { createSalesMarketplace } from '../../testing/marketplace/sales-marketplace.ts';
import { TEST_ADMIN_SECRET } from '../../testing/marketplace/test-bindings.ts';
import { testBindings } from '../../testing/marketplace/workers-bindings.ts';
import { deleteDeadMessage, recordDeadMessage } from '../dead-messages.store.ts';

let sent: AlarmNotice[] = [];
let isTaken = true;
const alarms = {
  async send(notice: AlarmNotice) {
    if (isTaken) sent.push(notice);
    return isTaken;
  },
};
const sales = createSalesMarketplace({}, { overrides: { alarms } });
const { market } = sales;

/** What the log's Worker does, which does not run here. */
const takeStatements = () => testBindings.DB.prepare('DELETE FROM log_outbox').run();

/** What the jobs of one minute tell. */
async function minute({ isLogged = true } = {}): Promise<string[]> {
  if (isLogged) await takeStatements();
  market.clock.advance(MINUTE_MS);
  sent = [];
  await runEveryMinute(market.newPorts());
  return sent.map(({ code, state }) => `${code} ${state}`);
}

beforeEach(() => {
  isTaken = true;
  market.depth.live = 1;
});

describe('alarms', () => {
  it('are told once a condition has held for two minutes, and when it ends', async () => {
    expect(await minute()).toEqual([]);
    market.depth.live = null;
    const since = isoTime(market.clock.now() + MINUTE_MS);
    expect([await minute(), await minute(), await minute()]).toEqual([[], [], ['objects_down raised']]);
    expect(sent).toMatchObject([{ since }]);
    expect(await minute()).toEqual([]);
    market.depth.live = 1;
    expect([await minute(), await minute()]).toEqual([['objects_down ended'], []]);
  });

  it('tell at once of a log that has stopped', async () => {
    await minute();
    const set = (at: string | null) =>
      testBindings.DB.prepare('UPDATE log_state SET stopped_at = ?').bind(at).run();
    await set(isoTime(market.clock.now()));
    expect(await minute()).toEqual(['log_down raised']);
    await set(null);
    expect(await minute()).toEqual(['log_down ended']);
  });

  it('tell of statements that are in no log after a minute, and stay so', async () => {
    await minute();
    await sales.listing();
    const waits = [];
    for (let n = 0; n < 4; n += 1) waits.push(await minute({ isLogged: false }));
    expect(waits).toEqual([[], [], [], ['log_late raised']]);
    expect([await minute(), await minute()]).toEqual([['log_late ended'], []]);
  });

  it('say nothing of what ended by itself before', async () => {
    market.depth.live = null;
    expect([await minute(), await minute()]).toEqual([[], []]);
    market.depth.live = 1;
    expect([await minute(), await minute()]).toEqual([[], []]);
  });

  it('are told again each day, and until somebody took them', async () => {
    await market
      .newPorts()
      .market.commit([
        recordDeadMessage({ id: 'dead', message: { kind: 'outbox' }, diedAt: isoTime(market.clock.now()) }),
      ]);
    isTaken = false;
    for (let n = 0; n < 5; n += 1) expect(await minute()).toEqual([]);
    isTaken = true;
    expect([await minute(), await minute()]).toEqual([['queues_late raised'], []]);
    market.clock.advance(DAY_MS - 2 * MINUTE_MS);
    // By now it is listed as overdue as well.
    expect(await minute()).toEqual(['queues_late raised', 'money_overdue raised']);
    await market.newPorts().market.commit(deleteDeadMessage('dead'));
    expect([(await minute()).toSorted(), await minute()]).toEqual([
      ['money_overdue ended', 'queues_late ended'],
      [],
    ]);
  });

  it('tell of an answer to an operator in a dispute, until the operator says something or decides', async () => {
    await minute();
    const { id } = await sales.listing({ priceCents: 4000 });
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 4000);
    const { body } = await sales.buy(id, buyer, { body: { payment_method: 'wallet' } });
    const path = `/marketplace/purchases/${body.id}/dispute`;
    await sales.request('POST', path, buyer.apiKey, { reason: 'Old.' });
    const say = async () => {
      const said = await sales.request('POST', `${path}/statements`, buyer.apiKey, { body: 'It is old.' });
      expect(said.status).toBe(201);
    };
    const ask = (what: string, fields: object) =>
      sales.request('POST', `/admin/disputes/${body.id}/${what}`, null, fields, {
        'x-mkt-admin': TEST_ADMIN_SECRET,
      });
    await say();
    expect(await minute()).toEqual([]);
    await ask('statements', { body: 'How old?' });
    expect(await minute()).toEqual([]);
    await say();
    expect([await minute(), await minute()]).toEqual([['dispute_answered raised'], []]);
    await ask('statements', { body: 'Thank you.' });
    expect(await minute()).toEqual(['dispute_answered ended']);
    await say();
    expect(await minute()).toEqual(['dispute_answered raised']);
    await ask('decision', { decision: 'refund' });
    expect(await minute()).toEqual(['dispute_answered ended']);
  });

  it('tell of a database that does not answer every ten minutes: nothing can be stored of that', async () => {
    market.market.fault = () => 'lose_request';
    const told: string[] = [];
    for (let n = 0; n < 20; n += 1) told.push(...(await minute()));
    market.market.fault = () => undefined;
    expect(told).toEqual(['database_down raised', 'database_down raised']);
  });
});

describe('the channel of alarms', () => {
  const notice: AlarmNotice = {
    code: 'objects_down',
    state: 'raised',
    since: '2026-06-01T12:00:00.000Z',
    text: 'The door is closed.',
  };

  it('posts JSON with a text that chats show, and logs no address', async () => {
    const log = new FakeLog();
    const bodies: unknown[] = [];
    let status = 204;
    const webhook = createWebhookAlarms(
      'https://hooks.example.com/secret',
      async (_url, init) => {
        bodies.push(JSON.parse(String(init?.body)));
        if (status === 0) throw new Error('https://hooks.example.com/secret did not answer');
        return new Response(null, { status });
      },
      log,
    );
    expect(await webhook.send(notice)).toBe(true);
    expect(bodies[0]).toEqual({ ...notice, text: `objects_down since ${notice.since}: The door is closed.` });
    for (status of [500, 0]) expect(await webhook.send(notice)).toBe(false);
    expect(JSON.stringify(log.lines)).not.toContain('secret');
    expect(log.lines.map(({ event }) => event)).toEqual(['alarm_not_sent', 'alarm_not_sent']);
  });

  it('mails it to the operator', async () => {
    const mail = new FakeMail();
    const byMail = createMailAlarms('ops@example.com', mail, new FakeLog());
    expect(await byMail.send({ ...notice, state: 'ended' })).toBe(true);
    expect(mail.tried).toMatchObject([{ to: 'ops@example.com', subject: 'Ended: objects_down' }]);
  });
});
