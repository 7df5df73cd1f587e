import { afterEach, expect, it } from 'vitest';
import { restoreWebGlobals } from './web-globals.ts';

afterEach(restoreWebGlobals);

it('gives Node its own answers back, which do not share the headers that they are given', () => {
  const shared = new Headers();
  class SharingResponse extends Response {
    override readonly headers = shared;
  }
  Object.defineProperty(globalThis, 'Response', { value: SharingResponse });
  new Response(null, { headers: shared }).headers.set('x-rate', '1');
  expect(shared.get('x-rate')).toBe('1');

  restoreWebGlobals();
  new Response(null, { headers: shared }).headers.set('x-rate', '2');
  expect(shared.get('x-rate')).toBe('1');
});
