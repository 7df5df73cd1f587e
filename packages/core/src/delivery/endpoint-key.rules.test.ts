import { expect, test } from 'vitest';
import { endpointKey } from './endpoint-key.rules.ts';

const key = (callbackUrl: string, callbackType: 'webhook' | 'polling' | 'mcp' = 'webhook') =>
  endpointKey({ callbackUrl, callbackType });

const REFERENCE = 'https://seller.example.org/deliver?seller=a1';

test.each([
  'HTTPS://SELLER.example.ORG/deliver?seller=a1',
  'https://seller.example.org:443/deliver?seller=a1',
  'https://seller.example.org./deliver?seller=a1',
  'https://seller.example.org/x/../deliver?seller=a1',
  'https://seller.example.org/%64eliver?seller=%611',
  'https://seller.example.org/Deliver?seller=a1',
  'https://seller.example.org/deliver/?seller=a1',
  'https://seller.example.org/deliver//',
  'https://seller.example.org/deliver',
  'https://seller.example.org/deliver?seller=a2',
  'https://seller.example.org//deliver',
  'https://seller.example.org/deliver;a=1',
  'https://seller.example.org/deliver%2F',
  'https://seller.example.org/deliver%3Fseller=a1',
])('%s is the same endpoint', (url) => {
  expect(key(url)).toEqual(key(REFERENCE));
  expect(key(url, 'mcp')).toEqual(key(REFERENCE));
});

test.each([
  ['https://seller.example.org:8443/deliver', 'seller.example.org'],
  ['https://seller.example.org/deliver2', 'seller.example.org'],
  ['https://seller.example.org/', 'seller.example.org'],
  ['https://other.example.org/deliver', 'other.example.org'],
])('%s is another, on host %s', (url, host) => {
  expect(key(url)?.url).not.toBe(key(REFERENCE)?.url);
  expect(key(url)?.host).toBe(host);
});

test('an escaped slash is one to many servers', () => {
  expect(key('https://a.example/x%2fy')).toEqual(key('https://a.example/x/y'));
  expect(key('https://a.example/x%2fy')).not.toEqual(key('https://a.example/xy'));
});

test('on a machine of its own, a developer has a host for each port', () => {
  for (const host of ['localhost:9000', '127.0.0.1:9000', '[::1]:9000'])
    expect(key(`http://${host}/a/?b`)).toEqual({ url: `http://${host}/a`, host });
});

test('a polled URL is never called, so it has none', () => {
  expect(key(REFERENCE, 'polling')).toBeNull();
});
