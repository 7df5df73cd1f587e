import { describe, expect, it } from 'vitest';
import { clientAddressOf, rateKeyOf } from './rate-key.ts';

describe('an address is counted', () => {
  it('by its /64 where it is IPv6, however it is written', () => {
    const keys = ['2001:db8:1:2::1', '2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::%eth0'].map(
      rateKeyOf,
    );
    expect(new Set(keys)).toEqual(new Set(['2001:db8:1:2::/64']));
    expect(rateKeyOf('2001:db8:1:3::1')).not.toBe(keys[0]);
    expect(rateKeyOf('::1')).toBe('0:0:0:0::/64');
  });

  it('by itself where it is IPv4, also in the form of IPv6', () => {
    expect(rateKeyOf('192.0.2.7')).toBe('192.0.2.7');
    expect(['::ffff:192.0.2.7', '::ffff:c000:207'].map(rateKeyOf)).toEqual(['192.0.2.7', '192.0.2.7']);
    expect(rateKeyOf('192.0.2.8')).toBe('192.0.2.8');
  });

  it('by its text where it is no address', () => {
    expect(rateKeyOf('unknown')).toBe('unknown');
    expect(rateKeyOf('x'.repeat(1000))).toHaveLength(300);
  });
});

describe('who sends a request', () => {
  const client = (headers: Record<string, string>) => rateKeyOf(clientAddressOf(new Headers(headers)));
  const SHARED = '2a06:98c0:3600::103';

  it('is the zone of the Worker, where the address is that of all Workers', () => {
    expect(client({ 'cf-connecting-ip': SHARED, 'cf-worker': 'Zone.example' })).toBe('worker zone.example');
    expect(client({ 'cf-connecting-ip': SHARED })).toBe('worker ');
  });

  it('is the address otherwise, whatever the header of Workers says', () => {
    expect(client({ 'cf-connecting-ip': '192.0.2.7', 'cf-worker': 'zone.example' })).toBe('192.0.2.7');
    expect(client({})).toBe('unknown');
  });
});
