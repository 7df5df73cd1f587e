import { sha256Hex } from '@agent-marketplace/protocol/crypto/digest.ts';
import { utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../kernel/time.ts';
import { base64, file, inquiriesOf, textOf } from '../../testing/fixtures/new-inquiry.ts';
import { testBindings } from '../../testing/marketplace/workers-bindings.ts';
import { createTestMarketplace } from '../../testing/marketplace/workers-harness.ts';
import { sweepAttachments } from './sweep-attachments.ts';

const MAX = 4 * 1024 * 1024;

let market = createTestMarketplace();
let inquiries = inquiriesOf(market);
beforeEach(() => {
  market = createTestMarketplace();
  inquiries = inquiriesOf(market);
});

async function rows(): Promise<Record<string, number>> {
  const { results } = await testBindings.DB.prepare(`SELECT (SELECT COUNT(*) FROM inquiries) AS inquiries,
    (SELECT COUNT(*) FROM inquiry_messages) AS messages, (SELECT COUNT(*) FROM inquiry_attachments) AS attachments,
    (SELECT COUNT(*) FROM attachment_uploads) AS uploads`).all<Record<string, number>>();
  return results[0] as Record<string, number>;
}

describe('what is refused leaves nothing behind, neither row nor object', () => {
  const bad: [string, object[], string][] = [
    ['one byte more than 4 MB', [file(textOf(MAX + 1))], 'attachments.0.contentBase64'],
    ['a whole group more than 4 MB', [file(textOf(MAX + 3))], 'attachments.0.contentBase64'],
    ['six', Array.from({ length: 6 }, () => file()), 'attachments'],
    ['no base64', [file('', { contentBase64: 'no base64!' })], 'attachments.0.contentBase64'],
    [
      'a data URL',
      [file('', { contentBase64: 'data:text/plain;base64,aGVsbG8=' })],
      'attachments.0.contentBase64',
    ],
    ['no name', [{ ...file(), filename: undefined }], 'attachments.0.filename'],
    ['no type', [{ ...file(), contentType: undefined }], 'attachments.0.contentType'],
    ['no content', [{ ...file(), contentBase64: undefined }], 'attachments.0.contentBase64'],
    ['a field that is not known', [{ ...file(), url: 'https://example.com/' }], 'attachments.0.url'],
    [
      'good ones and then a bad one',
      [file('a'), file('b'), file('c', { contentBase64: '*' })],
      'attachments.2.contentBase64',
    ],
  ];

  it.each(bad)('%s', async (_, attachments, path) => {
    const before = await rows();
    const id = await inquiries.open();
    for (const send of [inquiries.submit, (fields: object) => inquiries.followUp(id, fields)]) {
      const { status, body } = await send({ attachments });
      expect([status, body.code, body.errors?.[0]?.path]).toEqual([400, 'validation_failed', path]);
    }
    expect(await rows()).toEqual({
      ...before,
      inquiries: (before.inquiries ?? 0) + 1,
      messages: (before.messages ?? 0) + 1,
    });
    expect(market.attachments.objects.size).toBe(0);
  });

  it('a body of more than 32 MiB is refused unread', async () => {
    const body = `{"subject":"s","message":"${'m'.repeat(32 * 1024 * 1024)}"}`;
    const response = await market.request('POST', '/inquiries', {
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(response.status).toBe(413);
  });
});

describe('what is taken', () => {
  it('five of exactly 4 MB', async () => {
    const attachments = [...'abcde'].map((character) => file(textOf(MAX, character)));
    const { status, body } = await inquiries.submit({ attachments }, { 'idempotency-key': 'large' });
    expect(status).toBe(201);
    expect(body.attachments.map(({ sizeBytes }: { sizeBytes: number }) => sizeBytes)).toEqual(
      Array(5).fill(MAX),
    );
    expect(market.attachments.objects.size).toBe(5);
    const response = await market.request('GET', body.attachments[4].url);
    expect(await sha256Hex(new Uint8Array(await response.arrayBuffer()))).toBe(body.attachments[4].sha256);
    expect((await rows()).uploads).toBe(0);
  });

  it('the same content twice: two attachments, one object', async () => {
    const { body } = await inquiries.submit({
      attachments: [file('same'), file('same', { filename: 'b.txt' })],
    });
    const [a, b] = body.attachments;
    expect(a.sha256).toBe(b.sha256);
    expect(a.id).not.toBe(b.id);
    expect(market.attachments.objects.size).toBe(1);
    for (const { url } of [a, b]) expect(await (await market.request('GET', url)).text()).toBe('same');
  });

  it('a page is bytes, under a name that is one', async () => {
    const html = file('<script>alert(1)</script>', {
      contentType: 'text/html',
      filename: '../../x/\u202Eevil".html',
    });
    const { body } = await inquiries.submit({ attachments: [html] });
    expect(body.attachments[0]).toMatchObject({
      contentType: 'application/octet-stream',
      filename: 'evil_.html',
    });
    const { headers } = await market.request('GET', body.attachments[0].url);
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('content-disposition')).toBe(
      'attachment; filename="evil_.html"; filename*=UTF-8\'\'evil_.html',
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain('sandbox');
  });

  it('a name in another script reaches those who can read it', async () => {
    const { body } = await inquiries.submit({ attachments: [file('x', { filename: "l'été 名.txt" })] });
    const { headers } = await market.request('GET', body.attachments[0].url);
    expect(headers.get('content-disposition')).toBe(
      'attachment; filename="l__t_ _.txt"; filename*=UTF-8\'\'l%27%C3%A9t%C3%A9%20%E5%90%8D.txt',
    );
  });
});

describe('an id of an attachment', () => {
  it.each([
    '../../../etc/passwd',
    '..%2f..%2fsecret',
    '%2e%2e',
    'x',
    '0',
    "' OR 1=1 --",
    '00000000-0000-4000-8000-000000000000%00.txt',
    '00000000-0000-4000-8000-000000000000/..',
    '{}',
    '__proto__',
  ])('that is %j opens nothing', async (id) => {
    const response = await market.request('GET', `/relay/attachments/${id}`);
    expect([400, 404]).toContain(response.status);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
  });

  it('is not the SHA-256, nor that of another thing that exists', async () => {
    const { body } = await inquiries.submit({ attachments: [file()] });
    const { id, messages } = { id: body.id, messages: (await inquiries.thread(body.id)).body.messages };
    for (const other of [body.attachments[0].sha256, id, messages[0].id]) {
      expect((await market.request('GET', `/relay/attachments/${other}`)).status).not.toBe(200);
    }
  });

  it('opens nothing that no inquiry owns, though the object is there', async () => {
    const bytes = utf8('stray');
    await market.attachments.put(await sha256Hex(bytes), bytes);
    const response = await market.request('GET', `/relay/attachments/${await sha256Hex(bytes)}`);
    expect(response.status).toBe(400);
  });

  it('asked for again costs no look at the store', async () => {
    const { body } = await inquiries.submit({ attachments: [file()] });
    market.attachments.fault = () => 'lose_request';
    const { sha256, url } = body.attachments[0];
    const response = await market.request('GET', url, { headers: { 'if-none-match': `"${sha256}"` } });
    expect([response.status, response.headers.get('x-content-sha256')]).toEqual([304, sha256]);
    const any = await market.request('GET', url, { headers: { 'if-none-match': '*' } });
    expect([any.status, any.headers.get('x-content-sha256')]).toEqual([304, sha256]);
  });
});

describe('a store that fails', () => {
  it('is said, and nothing was sent', async () => {
    const before = await rows();
    market.attachments.fault = (action) => (action === 'put' ? 'lose_request' : undefined);
    const { status, body } = await inquiries.submit({ attachments: [file('down')] });
    expect([status, body.code, body.retryable]).toEqual([503, 'service_unavailable', true]);
    expect(await rows()).toEqual({ ...before, uploads: (before.uploads ?? 0) + 1 });
  });

  it('takes no part in an inquiry without attachments', async () => {
    market.attachments.fault = () => 'lose_request';
    expect((await inquiries.submit()).status).toBe(201);
  });

  it('when it is read is 503, with nothing of the file', async () => {
    const { body } = await inquiries.submit({ attachments: [file('read me')] });
    market.attachments.fault = () => 'lose_request';
    const response = await market.request('GET', body.attachments[0].url);
    expect(response.status).toBe(503);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(response.headers.get('etag')).toBeNull();
  });

  it.each([
    ['lost', (sha256: string) => market.attachments.objects.delete(sha256)],
    ['changed', (sha256: string) => market.attachments.objects.set(sha256, utf8('other'))],
  ])('has %s an object: 503 and a line in the log, never other bytes', async (_, damage) => {
    const { body } = await inquiries.submit({ attachments: [file(`precious ${_}`)] });
    damage(body.attachments[0].sha256);
    expect((await market.request('GET', body.attachments[0].url)).status).toBe(503);
    expect(market.log.lines.some(({ event }) => event === 'attachment_damaged')).toBe(true);
  });
});

describe('objects without an owner', () => {
  const dropAfterUpload = () => {
    market.market.fault = (sql) =>
      sql.some((one) => /into "inquiries"/i.test(one)) ? 'lose_request' : undefined;
  };
  const recover = () => {
    market.market.fault = () => undefined;
  };
  const sweep = () => sweepAttachments(market.newPorts());

  it('a crash between object and row leaves nothing that is served, and is swept after a day', async () => {
    dropAfterUpload();
    expect((await inquiries.submit({ attachments: [file('crash')] })).status).toBe(503);
    recover();
    expect(market.attachments.objects.size).toBe(1);
    expect(await sweep()).toBe(0);
    market.clock.advance(DAY_MS + 1);
    expect(await sweep()).toBeGreaterThan(0);
    expect(market.attachments.objects.size).toBe(0);
    expect((await rows()).uploads).toBe(0);
    expect(await sweep()).toBe(0);
  });

  it('are the attachments of threads that were closed 90 days ago; what was written stays', async () => {
    const [closed, open] = [
      await inquiries.submit({ attachments: [file('old')] }),
      await inquiries.submit({ attachments: [file('still open')] }),
    ];
    expect((await inquiries.close(closed.body.id)).status).toBe(200);
    await testBindings.DB.prepare(`UPDATE inquiries SET closes_at = '2099-01-01T00:00:00.000Z' WHERE id = ?`)
      .bind(open.body.id)
      .run();
    market.clock.advance(90 * DAY_MS);
    await sweep();
    expect((await market.request('GET', closed.body.attachments[0].url)).status).toBe(200);
    market.clock.advance(1);
    await sweep();
    expect((await market.request('GET', closed.body.attachments[0].url)).status).toBe(404);
    const { status, body } = await inquiries.thread(closed.body.id);
    expect([status, body.messages.length, body.messages[0].attachments]).toEqual([200, 1, []]);
    market.clock.advance(DAY_MS + 1);
    await sweep();
    expect(market.attachments.objects.size).toBe(1);
    expect(await (await market.request('GET', open.body.attachments[0].url)).text()).toBe('still open');
  });

  it('what the retry owns stays, though the first try left a note', async () => {
    dropAfterUpload();
    await inquiries.submit({ attachments: [file('retried')] });
    recover();
    const { body } = await inquiries.submit({ attachments: [file('retried')] });
    market.clock.advance(DAY_MS + 1);
    await sweep();
    expect(await (await market.request('GET', body.attachments[0].url)).text()).toBe('retried');
    expect((await rows()).uploads).toBe(0);
  });

  it('what somebody is just sending stays, though an old try left a note', async () => {
    dropAfterUpload();
    await inquiries.submit({ attachments: [file('both')] });
    market.clock.advance(DAY_MS + 1);
    await inquiries.submit({ attachments: [file('both')] });
    recover();
    expect(await sweep()).toBe(0);
    expect(market.attachments.objects.size).toBe(1);
  });

  it('are removed again by the next run if one dies, and nobody sends the same meanwhile', async () => {
    dropAfterUpload();
    await inquiries.submit({ attachments: [file('half')] });
    recover();
    market.clock.advance(DAY_MS + 1);
    market.attachments.fault = (action) => (action === 'remove' ? 'lose_request' : undefined);
    expect(await sweep()).toBe(0);
    expect((await inquiries.submit({ attachments: [file('half')] })).status).toBe(503);
    market.attachments.fault = () => undefined;
    expect(await sweep()).toBeGreaterThan(0);
    const { status, body } = await inquiries.submit({ attachments: [file('half')] });
    expect(status).toBe(201);
    market.clock.advance(DAY_MS + 1);
    await sweep();
    expect(await (await market.request('GET', body.attachments[0].url)).text()).toBe('half');
  });

  it.each(
    [1, 2, 3].flatMap((at) => (['lose_request', 'lose_reply'] as const).map((fault) => [fault, at] as const)),
  )(
    'whichever round trip of a sending is lost (%s, %i): all or nothing, and nothing is left after a day',
    async (fault, at) => {
      const before = await rows();
      let trips = 0;
      market.market.fault = () => {
        trips += 1;
        return trips === at ? fault : undefined;
      };
      const content = `trip ${fault} ${at}`;
      await inquiries.submit({ attachments: [file(content)] });
      recover();
      market.clock.advance(DAY_MS + 1);
      await sweep();
      const after = await rows();
      const made = (after.inquiries ?? 0) - (before.inquiries ?? 0);
      expect((after.attachments ?? 0) - (before.attachments ?? 0)).toBe(made);
      expect((after.messages ?? 0) - (before.messages ?? 0)).toBe(made);
      expect(after.uploads).toBe(0);
      expect(market.attachments.objects.has(await sha256Hex(content))).toBe(made === 1);
    },
  );
});

it('decoding agrees with the encoding of the tests', () => {
  expect(base64('hello')).toBe('aGVsbG8=');
});
