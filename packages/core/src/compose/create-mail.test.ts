import { describe, expect, it } from 'vitest';
import { FakeLog } from '../testing/doubles/recording-ports.ts';
import { createMail, type MailBindings, type MailVariables } from './create-mail.ts';

const HTTP = { MAIL_FROM: 'a@example.com', MAIL_API_URL: 'https://mail.example/emails', MAIL_API_KEY: 'key' };
const message = { to: 'b@example.com', subject: 's', text: 't', reference: 'r' };

function create(from: MailVariables & MailBindings) {
  const urls: string[] = [];
  const fetch = (async (url: string) => {
    urls.push(url);
    return new Response(null, { status: 200 });
  }) as unknown as typeof globalThis.fetch;
  return { mail: createMail(from, fetch, new FakeLog()), urls };
}

describe('how mail is sent', () => {
  it('not at all where nobody is named as its sender', () => {
    expect(create({}).mail).toBeNull();
    expect(create({ MAIL_FROM: 'a@example.com' }).mail).toBeNull();
  });

  it('by the HTTP API where one is named', async () => {
    const { mail, urls } = create(HTTP);
    expect(await mail?.send(message)).toBe('sent');
    expect(urls).toEqual([HTTP.MAIL_API_URL]);
  });

  it('by the binding where there is one, and no API', async () => {
    const sent: unknown[] = [];
    const EMAIL = { send: async (one: unknown) => sent.push(one) };
    const { mail, urls } = create({ MAIL_FROM: 'a@example.com', EMAIL });
    expect(await mail?.send(message)).toBe('sent');
    expect([sent.length, urls.length]).toEqual([1, 0]);
    const both = create({ ...HTTP, EMAIL });
    await both.mail?.send(message);
    expect([sent.length, both.urls.length]).toEqual([1, 1]);
  });

  it.each([
    ['an API without a key', { ...HTTP, MAIL_API_KEY: '' }],
    ['an API without a sender', { ...HTTP, MAIL_FROM: '' }],
    ['an address that is none', { ...HTTP, MAIL_API_URL: 'mail' }],
    ['an address that anybody on the way can read', { ...HTTP, MAIL_API_URL: 'http://mail.example/' }],
    ['this machine, in a deployment', { ...HTTP, MAIL_API_URL: 'http://localhost:9/' }],
    [
      'another machine, in development',
      { ...HTTP, MAIL_API_URL: 'http://mail/', SELLER_ENDPOINTS: 'loopback' },
    ],
  ])('%s stops everything at the start', (_, variables) => {
    expect(() => create(variables)).toThrow(/MAIL_/);
  });

  it('to this machine in development', () => {
    const local = { ...HTTP, MAIL_API_URL: 'http://localhost:9/', SELLER_ENDPOINTS: 'loopback' };
    expect(create(local).mail).not.toBeNull();
  });
});
