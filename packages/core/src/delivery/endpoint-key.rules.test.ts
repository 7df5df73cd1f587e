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
])('%s is the same endpoint', (url) => {
  expect(key(url)).toBe(key(REFERENCE));
  expect(key(url, 'mcp')).toBe(key(REFERENCE));
});

test.each([
  'https://seller.example.org:8443/deliver?seller=a1',
  'https://seller.example.org/Deliver?seller=a1',
  'https://seller.example.org/deliver/?seller=a1',
  'https://seller.example.org/deliver',
  'https://seller.example.org/deliver?seller=a2',
  'https://seller.example.org/deliver%3Fseller=a1',
  'https://other.example.org/deliver?seller=a1',
])('%s is another', (url) => {
  expect(key(url)).not.toBe(key(REFERENCE));
});

test("a polled URL, and one on this machine, are nobody's to claim", () => {
  expect(key(REFERENCE, 'polling')).toBeNull();
  for (const host of ['localhost:9000', '127.0.0.1', '[::1]:9']) expect(key(`http://${host}/a`)).toBeNull();
});
