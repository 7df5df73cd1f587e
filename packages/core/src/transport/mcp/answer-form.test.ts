import { describe, expect, it } from 'vitest';
import { answerForm, asEventStream } from './answer-form.ts';

describe('answerForm', () => {
  it.each([
    [null, 'json'],
    ['', 'json'],
    ['*/*', 'json'],
    ['application/json', 'json'],
    ['Application/JSON; charset=utf-8', 'json'],
    ['application/*', 'json'],
    ['application/json, text/event-stream', 'json'],
    ['text/event-stream, application/json;q=0.1', 'json'],
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'json'],
    ['text/event-stream', 'event_stream'],
    ['text/*', 'event_stream'],
    ['application/json;q=0, */*', 'event_stream'],
    ['text/html', null],
    ['image/*, text/plain', null],
    ['*/*;q=0', null],
    ['application/jsonx', null],
    ['application/json;q=much', null],
  ])('%j takes %s', (accept, form) => {
    expect(answerForm(accept)).toBe(form);
  });
});

describe('asEventStream', () => {
  it('is one event with the answer', async () => {
    const streamed = await asEventStream(Response.json({ a: 'b\nc' }, { headers: { 'x-request-id': '1' } }));
    expect(streamed.headers.get('content-type')).toBe('text/event-stream');
    expect(streamed.headers.get('x-request-id')).toBe('1');
    expect(await streamed.text()).toBe('event: message\ndata: {"a":"b\\nc"}\n\n');
  });

  it('leaves what has nothing to tell, and errors of HTTP, as they are', async () => {
    for (const response of [new Response(null, { status: 202 }), Response.json({}, { status: 429 })]) {
      expect(await asEventStream(response)).toBe(response);
    }
  });
});
