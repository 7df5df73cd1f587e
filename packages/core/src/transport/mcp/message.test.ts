import { describe, expect, it } from 'vitest';
import { readMessage } from './message.ts';

const posted = (contentType: string) =>
  new Request('https://m.com/mcp', {
    method: 'POST',
    headers: { 'content-type': contentType },
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  });

describe('a message', () => {
  it.each(['application/json', 'application/json; charset=utf-8'])('is JSON in UTF-8: %s', async (type) => {
    expect(await readMessage(posted(type))).toMatchObject({ kind: 'good', method: 'ping' });
  });

  it.each(['text/plain', 'application/json; charset=latin1'])('and nothing else: %s', async (type) => {
    expect(await readMessage(posted(type))).toMatchObject({ kind: 'bad', status: 415 });
  });
});
