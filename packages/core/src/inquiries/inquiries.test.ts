import { beforeEach, describe, expect, it } from 'vitest';
import { clause } from '../../../../test/conformance/clause.ts';
import { runEveryMinute } from '../compose/jobs.ts';
import { originOf } from '../compose/runtime.ts';
import { DAY_MS } from '../kernel/time.ts';
import { sendMail } from '../mail/index.ts';
import { AS_OPERATOR, file, inquiriesOf } from '../testing/fixtures/new-inquiry.ts';
import { testBindings } from '../testing/marketplace/workers-bindings.ts';
import { createTestMarketplace, TEST_BASE_URL } from '../testing/marketplace/workers-harness.ts';

let market = createTestMarketplace();
let inquiries = inquiriesOf(market);
beforeEach(async () => {
  market = createTestMarketplace();
  inquiries = inquiriesOf(market);
  await testBindings.DB.batch([
    testBindings.DB.prepare('DELETE FROM mail_outbox'),
    testBindings.DB.prepare('DELETE FROM inquiries'),
  ]);
});

const counted = async () =>
  (await testBindings.DB.prepare('SELECT COUNT(*) AS total FROM inquiries').first<{ total: number }>())
    ?.total;
const ADA = { name: 'Ada', email: 'ada@example.com' };

describe('a thread', () => {
  clause('inquiry.status-open');
  it('goes back and forth, and says whose turn it is', async () => {
    const id = await inquiries.open(ADA);
    const status = async () => (await inquiries.thread(id)).body.thread.status;
    expect(await status()).toBe('open');
    expect((await inquiries.reply(id)).status).toBe(201);
    expect(await status()).toBe('awaiting_inquirer');
    expect((await inquiries.followUp(id)).status).toBe(201);
    expect(await status()).toBe('open');
    const { messages, inquiry } = (await inquiries.thread(id)).body;
    expect(
      messages.map(({ from, body, authorName }: Record<string, string>) => [from, authorName, body]),
    ).toEqual([
      ['inquirer', 'Ada', 'How?'],
      ['team', 'Chris', 'So.'],
      ['inquirer', 'Ada', 'And?'],
    ]);
    expect(inquiry).toMatchObject({
      email: ADA.email,
      submittedBy: 'Ada',
      category: 'general',
      status: 'open',
    });
  });

  it('keeps each attachment with its message', async () => {
    const id = await inquiries.open({ attachments: [file('one')] });
    await inquiries.reply(id, { attachments: [file('two', { filename: 'answer.txt' })] });
    await inquiries.followUp(id, { attachments: [file('three'), file('four')] });
    const { messages } = (await inquiries.thread(id)).body;
    expect(messages.map(({ attachments }: { attachments: unknown[] }) => attachments.length)).toEqual([
      1, 1, 2,
    ]);
    const { url } = messages[1].attachments[0];
    expect(await (await market.request('GET', url)).text()).toBe('two');
  });

  it('takes 200 messages; the 201st is refused, also when many come at once', async () => {
    const id = await inquiries.open();
    await testBindings.DB.prepare('UPDATE inquiries SET message_count = 197 WHERE id = ?').bind(id).run();
    const tried = await Promise.all(Array.from({ length: 6 }, () => inquiries.followUp(id)));
    expect(tried.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409]);
    const { status, body } = await inquiries.followUp(id);
    expect([status, body.code]).toEqual([409, 'inquiry_full']);
    expect((await inquiries.reply(id)).body.code).toBe('inquiry_full');
    const { messages } = (await inquiries.thread(id)).body;
    expect(messages).toHaveLength(4);
  });

  it('closes when nobody has written for 30 days, before any job comes by', async () => {
    const id = await inquiries.open();
    market.clock.advance(29 * DAY_MS);
    await inquiries.followUp(id);
    market.clock.advance(30 * DAY_MS - 1);
    expect((await inquiries.thread(id)).body.thread.status).toBe('open');
    market.clock.advance(1);
    const closed = (await inquiries.thread(id)).body;
    expect(closed.thread).toMatchObject({ status: 'closed', closedBy: 'policy', closesAt: null });
    expect(closed.inquiry.status).toBe('closed');
    for (const { status, body } of [
      await inquiries.followUp(id),
      await inquiries.reply(id),
      await inquiries.close(id),
    ]) {
      expect([status, body.code]).toEqual([409, 'inquiry_closed']);
    }
    const listed = async (status: string) =>
      (await inquiries.get(`/admin/inquiries?status=${status}`, AS_OPERATOR)).body.total;
    expect([await listed('open'), await listed('closed')]).toEqual([0, 1]);
    await runEveryMinute(market.newPorts());
    expect((await inquiries.thread(id)).body).toEqual({
      ...closed,
      provenance: expect.anything(),
    });
    expect([await listed('open'), await listed('closed')]).toEqual([0, 1]);
    expect(market.log.lines.filter(({ event }) => event === 'job_failed')).toEqual([]);
  });

  it('may be given another end by the team', async () => {
    const id = await inquiries.open();
    const { body } = await inquiries.reply(id, { closesInDays: 2 });
    expect(body.thread.closesAtSetBy).toBe('team');
    market.clock.advance(2 * DAY_MS);
    expect((await inquiries.thread(id)).body.thread.status).toBe('closed');
  });

  it('is closed by the team once, and stays readable', async () => {
    const id = await inquiries.open();
    const [first, second] = await Promise.all([inquiries.close(id), inquiries.close(id)]);
    expect([first.status, second.status].sort()).toEqual([200, 409]);
    expect((await inquiries.thread(id)).body.thread).toMatchObject({
      closedBy: 'team',
      closedReason: 'Answered.',
      status: 'closed',
    });
    expect((await inquiries.followUp(id)).body.code).toBe('inquiry_closed');
  });
});

describe('the operator', () => {
  const asked = (id: string, headers: Record<string, string>) =>
    Promise.all([
      inquiries.get('/admin/inquiries', headers),
      inquiries.get(`/admin/inquiries/${id}`, headers),
      inquiries.get('/admin/ideas', headers),
      inquiries.get('/admin/mail', headers),
      inquiries.reply(id, {}, headers),
      inquiries.close(id, headers),
    ]);

  it.each([
    ['without the header', {}],
    ['with an empty one', { 'x-mkt-admin': '' }],
    ['with a wrong secret', { 'x-mkt-admin': 'wrong' }],
    ['with the start of the secret', { 'x-mkt-admin': AS_OPERATOR['x-mkt-admin'].slice(0, -1) }],
  ])('%s is nobody', async (_, headers) => {
    const id = await inquiries.open(ADA);
    for (const { status, body } of await asked(id, headers as Record<string, string>)) {
      expect([status, body.code]).toEqual([403, 'admin_required']);
      expect(JSON.stringify(body)).not.toContain('ada@');
    }
    expect((await inquiries.thread(id)).body.messages).toHaveLength(1);
  });

  it.each([undefined, ''])(
    'is nobody where no secret is set (%j), whatever is sent',
    async (ADMIN_SECRET) => {
      const { ADMIN_SECRET: _, ...others } = testBindings;
      const bindings = ADMIN_SECRET === undefined ? others : { ...others, ADMIN_SECRET };
      for (const sent of ['', 'undefined', 'null', AS_OPERATOR['x-mkt-admin']]) {
        const request = new Request('http://localhost/api/admin/inquiries', {
          headers: { 'x-mkt-admin': sent },
        });
        expect((await originOf(bindings, request, market.newPorts())).credential).not.toEqual({
          kind: 'deployment',
        });
      }
    },
  );

  it('a stranger does not get the recorded answer by repeating the Idempotency-Key', async () => {
    const id = await inquiries.open();
    const key = { 'idempotency-key': 'reply-1' };
    expect((await inquiries.reply(id, {}, { ...AS_OPERATOR, ...key })).status).toBe(201);
    expect((await inquiries.reply(id, {}, key)).status).toBe(403);
    expect((await inquiries.reply(id, {}, { ...AS_OPERATOR, ...key })).status).toBe(201);
    expect((await inquiries.thread(id)).body.messages).toHaveLength(2);
  });

  it('finds what waits for an answer, page by page', async () => {
    const ids = [await inquiries.open(), await inquiries.open(), await inquiries.open()];
    await inquiries.reply(ids[1] ?? '');
    const list = async (query: string) =>
      (await inquiries.get(`/admin/inquiries?${query}`, AS_OPERATOR)).body;
    expect(await list('status=open')).toMatchObject({ total: 2 });
    expect(await list('status=awaiting_inquirer')).toMatchObject({ total: 1, inquiries: [{ id: ids[1] }] });
    expect(await list('limit=1&offset=1')).toMatchObject({ total: 3, limit: 1, offset: 1 });
    const pages = await Promise.all([0, 1, 2].map((offset) => list(`limit=1&offset=${offset}`)));
    expect(new Set(pages.map(({ inquiries: [one] }) => one.id))).toEqual(new Set(ids));
  });

  it('sees who wrote', async () => {
    const { body } = await inquiries.post('/agents/register', { name: 'Asker' });
    const id = await inquiries.open(ADA, { authorization: `Bearer ${body.apiKey}` });
    const seen = (await inquiries.get(`/admin/inquiries/${id}`, AS_OPERATOR)).body;
    expect(seen).toMatchObject({ agentId: body.id, name: 'Ada' });
    expect((await inquiries.thread(id)).body).not.toHaveProperty('agentId');
  });
});

describe('a reply', () => {
  const outbox = async () => (await inquiries.get('/admin/mail', AS_OPERATOR)).body;
  const lastStatus = async (id: string) => (await inquiries.thread(id)).body.messages.at(-1).emailStatus;

  it('goes to the address that was given, once, and its thread says so', async () => {
    const id = await inquiries.open({ ...ADA, subject: 'Hello Bcc: all@example.com' });
    const { body } = await inquiries.reply(id);
    expect(body.message.emailStatus).toBe('queued');
    expect(await lastStatus(id)).toBe('queued');
    await Promise.all([sendMail(market.newPorts()), sendMail(market.newPorts())]);
    await sendMail(market.newPorts());
    expect(market.mail.tried).toHaveLength(1);
    const [mail] = market.mail.tried;
    expect(mail).toMatchObject({ to: ADA.email, subject: 'Re: Hello Bcc: all@example.com' });
    expect(mail?.text).toContain('So.');
    // A page of the site, and not the thread as the API has it.
    expect(mail?.text).toContain(`${new URL(TEST_BASE_URL).origin}/inquiries/${id}\n`);
    expect(await lastStatus(id)).toBe('sent');
    expect(await outbox()).toMatchObject({ total: 1, mails: [{ recipient: ADA.email, attempts: 1 }] });
  });

  it('without an address sends nothing', async () => {
    const id = await inquiries.open();
    expect((await inquiries.reply(id)).body.message.emailStatus).toBe('none');
    expect((await outbox()).total).toBe(0);
  });

  it('sends nothing where no mail is configured', async () => {
    const silent = createTestMarketplace({ settings: { sendsMail: false } });
    const others = inquiriesOf(silent);
    const id = await others.open(ADA);
    expect((await others.reply(id)).body.message.emailStatus).toBe('none');
    expect((await outbox()).total).toBe(0);
  });

  it('is tried eight times in a day, and then failed', async () => {
    const id = await inquiries.open(ADA);
    await inquiries.reply(id);
    market.mail.script = () => 'unavailable';
    for (let hour = 0; hour < 40; hour += 1) {
      await sendMail(market.newPorts());
      market.clock.advance(DAY_MS / 24);
    }
    expect(market.mail.tried).toHaveLength(8);
    expect(new Set(market.mail.tried.map(({ reference }) => reference)).size).toBe(1);
    expect(await lastStatus(id)).toBe('failed');
    expect(market.log.lines.filter(({ event }) => event === 'mail_given_up')).toHaveLength(1);
    expect(JSON.stringify(market.log.lines)).not.toMatch(/ada@|So\./);
  });

  it('that is refused is not tried again', async () => {
    const id = await inquiries.open(ADA);
    await inquiries.reply(id);
    market.mail.script = () => 'refused';
    await sendMail(market.newPorts());
    market.clock.advance(DAY_MS);
    await sendMail(market.newPorts());
    expect(market.mail.tried).toHaveLength(1);
    expect(await lastStatus(id)).toBe('failed');
    expect((await inquiries.get('/admin/mail?status=failed', AS_OPERATOR)).body.total).toBe(1);
  });

  it.each(
    [1, 2, 3].flatMap((at) => (['lose_request', 'lose_reply'] as const).map((fault) => [fault, at] as const)),
  )('arrives whichever round trip of its sender is lost (%s, %i), under one reference', async (fault, at) => {
    const id = await inquiries.open(ADA);
    await inquiries.reply(id);
    let trips = 0;
    for (let run = 0; run < 4; run += 1) {
      market.market.fault = () => {
        trips += 1;
        return trips === at ? fault : undefined;
      };
      await sendMail(market.newPorts()).catch(() => {});
      market.market.fault = () => undefined;
      market.clock.advance(DAY_MS / 24);
    }
    expect(await lastStatus(id)).toBe('sent');
    expect(new Set(market.mail.tried.map(({ reference }) => reference)).size).toBe(1);
    expect(market.mail.tried.length).toBeLessThanOrEqual(2);
  });

  it('wakes its sender, and tells the agent that asked', async () => {
    const { body: agent } = await inquiries.post('/agents/register', {
      name: 'Asker',
      callbackUrl: 'http://localhost:9/events',
    });
    const id = await inquiries.open({}, { 'x-api-key': agent.apiKey });
    market.jobs.sent.length = 0;
    const { body } = await inquiries.reply(id);
    await market.background.settled();
    expect(market.jobs.sent).toEqual([{ kind: 'outbox' }]);
    const event = await testBindings.DB.prepare('SELECT type, data FROM agent_events WHERE agent_id = ?')
      .bind(agent.id)
      .first<{ type: string; data: string }>();
    expect(event?.type).toBe('inquiry.replied');
    expect(JSON.parse(event?.data ?? '')).toEqual({ inquiryId: id, messageId: body.message.id });
  });

  it('mails are forgotten after a month; how they went is not', async () => {
    const id = await inquiries.open(ADA);
    await inquiries.reply(id);
    await sendMail(market.newPorts());
    market.clock.advance(31 * DAY_MS);
    await runEveryMinute(market.newPorts());
    expect((await outbox()).total).toBe(0);
    expect(await lastStatus(id)).toBe('sent');
  });
});

describe('the same Idempotency-Key', () => {
  const KEY = { 'idempotency-key': crypto.randomUUID() };
  const sent = { ...ADA, attachments: [file('with a file')] };

  it.each(['lose_request', 'lose_reply'] as const)(
    'after a lost connection (%s of the commit): one inquiry, one answer',
    async (fault) => {
      const key = { 'idempotency-key': crypto.randomUUID() };
      market.market.fault = (sql) => (sql.some((one) => /into "inquiries"/i.test(one)) ? fault : undefined);
      expect((await inquiries.submit(sent, key)).status).toBe(503);
      market.market.fault = () => undefined;
      await market.background.settled();
      const again = await inquiries.submit(sent, key);
      const third = await inquiries.submit(sent, key);
      expect([again.status, third.status]).toEqual([201, 201]);
      expect(third.body.id).toBe(again.body.id);
      expect(await counted()).toBe(1);
      expect((await inquiries.thread(again.body.id)).body.messages).toHaveLength(1);
    },
  );

  it('with the store of attachments down at first: one inquiry', async () => {
    market.attachments.fault = () => 'lose_request';
    expect((await inquiries.submit(sent, KEY)).status).toBe(503);
    expect(await counted()).toBe(0);
    market.attachments.fault = () => undefined;
    await market.background.settled();
    expect((await inquiries.submit(sent, KEY)).status).toBe(201);
    expect(await counted()).toBe(1);
  });

  it('with another file is another request', async () => {
    const key = { 'idempotency-key': crypto.randomUUID() };
    await inquiries.submit(sent, key);
    const other = { ...sent, attachments: [file('x'.repeat(100_000))] };
    expect((await inquiries.submit(other, key)).status).toBe(422);
    const long = { 'idempotency-key': crypto.randomUUID() };
    await inquiries.submit(other, long);
    const oneByte = { ...sent, attachments: [file(`${'x'.repeat(99_999)}y`)] };
    expect((await inquiries.submit(oneByte, long)).status).toBe(422);
    expect((await inquiries.submit(other, long)).status).toBe(201);
    expect(await counted()).toBe(2);
  });

  it('of a follow-up: one message', async () => {
    const id = await inquiries.open();
    const key = { 'idempotency-key': 'follow-up' };
    const both = [await inquiries.followUp(id, {}, key), await inquiries.followUp(id, {}, key)];
    expect(both.map(({ body }) => body.message.id)).toEqual([
      both[0]?.body.message.id,
      both[0]?.body.message.id,
    ]);
    expect((await inquiries.thread(id)).body.messages).toHaveLength(2);
  });
});

describe('the cost', () => {
  it('of an inquiry is one round trip, of a thread one, of an attachment one', async () => {
    market.market.reset();
    const { body } = await inquiries.submit();
    expect(market.market.count).toBe(1);
    await inquiries.thread(body.id);
    expect(market.market.count).toBe(2);
    const { body: second } = await inquiries.submit({ attachments: [file()] });
    expect(market.market.count).toBe(4);
    await market.request('GET', second.attachments[0].url);
    expect(market.market.count).toBe(5);
  });
});

it('logs hold nothing of what was written', async () => {
  const id = await inquiries.open({ ...ADA, message: 'private words' });
  await inquiries.reply(id, { body: 'private answer' });
  await sendMail(market.newPorts());
  expect(JSON.stringify(market.log.lines)).not.toMatch(/ada@|private/);
});
