import { describe, expect, it } from 'vitest';
import { FakeLog } from '../../testing/doubles/recording-ports.ts';
import { createBoundMail } from './email-binding.ts';
import { createHttpMail } from './http-mail.ts';

const MESSAGE = { to: 'ada@example.com', subject: 'Reply', text: 'Hello.', reference: 'inquiry_reply:1' };
const OPTIONS = { url: 'https://mail.example/send', apiKey: 'secret-key', from: 'market@example.com' };

function answering(reply: () => Promise<Response>) {
  const requests: { url: string; init: RequestInit }[] = [];
  const log = new FakeLog();
  const fetch = (async (url: string, init: RequestInit) => {
    requests.push({ url, init });
    return reply();
  }) as unknown as typeof globalThis.fetch;
  return { mail: createHttpMail(OPTIONS, fetch, log), requests, log };
}

describe('mail over HTTP', () => {
  it('is one JSON request with the key, and the same Idempotency-Key on every try', async () => {
    const { mail, requests } = answering(async () => new Response('{}', { status: 200 }));
    expect(await mail.send(MESSAGE)).toBe('sent');
    expect(await mail.send(MESSAGE)).toBe('sent');
    const [first, second] = requests;
    expect(first?.url).toBe(OPTIONS.url);
    expect(JSON.parse(String(first?.init.body))).toEqual({
      from: OPTIONS.from,
      to: MESSAGE.to,
      subject: MESSAGE.subject,
      text: MESSAGE.text,
    });
    const headers = (sent: typeof first) => sent?.init.headers as Record<string, string>;
    expect(headers(first).authorization).toBe('Bearer secret-key');
    expect(headers(first)['idempotency-key']).toBe(headers(second)['idempotency-key']);
    expect(first?.init.redirect).toBe('manual');
  });

  it.each([
    [202, 'sent'],
    [400, 'refused'],
    [422, 'refused'],
    [301, 'unavailable'],
    [401, 'unavailable'],
    [404, 'unavailable'],
    [429, 'unavailable'],
    [500, 'unavailable'],
    [503, 'unavailable'],
  ] as const)('%i is %s', async (status, outcome) => {
    const { mail } = answering(async () => new Response(null, { status }));
    expect(await mail.send(MESSAGE)).toBe(outcome);
  });

  it('that cannot be sent leaves no address, text or key in the log', async () => {
    const { mail, log } = answering(async () => {
      throw new TypeError(`cannot reach ${MESSAGE.to} with ${OPTIONS.apiKey}`);
    });
    expect(await mail.send(MESSAGE)).toBe('unavailable');
    expect(JSON.stringify(log.lines)).not.toMatch(/ada@|Hello|secret-key/);
    expect(log.lines).toHaveLength(1);
  });
});

describe('mail through the binding', () => {
  it('carries what it is about', async () => {
    const sent: unknown[] = [];
    const mail = createBoundMail(
      { send: async (message) => sent.push(message) },
      'market@example.com',
      new FakeLog(),
    );
    expect(await mail.send(MESSAGE)).toBe('sent');
    expect(sent).toEqual([
      {
        from: 'market@example.com',
        to: MESSAGE.to,
        subject: MESSAGE.subject,
        text: MESSAGE.text,
        headers: { 'X-Reference': MESSAGE.reference },
      },
    ]);
  });

  it.each([
    ['destination address is not a verified recipient: ada@example.com', 'refused'],
    ['internal error', 'unavailable'],
  ])('that fails (%s) is %s, and the log does not name anybody', async (message, outcome) => {
    const log = new FakeLog();
    const failing = {
      send: async () => {
        throw new Error(message);
      },
    };
    expect(await createBoundMail(failing, 'market@example.com', log).send(MESSAGE)).toBe(outcome);
    expect(JSON.stringify(log.lines)).not.toContain('ada@');
  });
});
