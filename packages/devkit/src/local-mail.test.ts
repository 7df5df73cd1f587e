import { createHttpMail } from '@agent-marketplace/core/adapters/mail/http-mail.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalMail, startLocalMail } from './local-mail.ts';

let local: LocalMail;
beforeAll(async () => {
  local = await startLocalMail();
});
afterAll(() => local.close());

const log = { info: () => {}, error: () => {} };
const sender = (apiKey = local.variables.MAIL_API_KEY) =>
  createHttpMail(
    { url: local.variables.MAIL_API_URL, apiKey, from: local.variables.MAIL_FROM },
    globalThis.fetch,
    log,
  );
const MESSAGE = { to: 'ada@example.com', subject: '<b>Hi</b>', text: 'line 1\nline 2', reference: 'x:1' };

describe('mail on this machine', () => {
  it('is shown as text, once however often it is sent', async () => {
    expect(await (await fetch(local.url)).text()).toContain('No mail was sent yet.');
    expect(await sender().send(MESSAGE)).toBe('sent');
    expect(await sender().send(MESSAGE)).toBe('sent');
    expect(local.messages).toEqual([{ ...MESSAGE, from: local.variables.MAIL_FROM }]);
    const shown = await (await fetch(local.url)).text();
    expect(shown).toContain('&#60;b&#62;Hi');
    expect(shown).toContain('line 1\nline 2');
  });

  it('is not taken with another key, nor without its parts', async () => {
    expect(await sender('another').send({ ...MESSAGE, reference: 'x:2' })).toBe('unavailable');
    expect(await sender().send({ ...MESSAGE, subject: '', reference: 'x:3' })).toBe('refused');
    expect(local.messages).toHaveLength(1);
  });
});
