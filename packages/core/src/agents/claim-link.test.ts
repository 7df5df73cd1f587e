import { describe, expect, it } from 'vitest';
import { createKeyedHash } from '../adapters/keys/keyed-hash.ts';
import { isSameText } from '../kernel/crypto/is-same-text.ts';
import type { Database } from '../kernel/ports/database.ts';
import { DAY_MS, HOUR_MS, isoTime } from '../kernel/time.ts';
import { newClaimExpiry, parseClaimToken } from './claim-link.rules.ts';
import { claimLinkFor, resolveClaimToken } from './claim-link.ts';

const NOW = Date.parse('2026-06-01T12:34:56.789Z');
const SELLER = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const OTHER = '7d444840-9dc0-41d1-b245-5ffdce74fad2';
const SECRET = 'one secret of at least 32 characters';
const keyedHash = createKeyedHash(SECRET);
const PLACE = { baseUrl: 'http://localhost:8787/api', siteUrl: null };

/** A market in which every seller's link ends at the same time. */
function ports(expiresAt: string | null) {
  const market = { first: async () => ({ expiresAt }) } as unknown as Database;
  return { keyedHash, market };
}

async function link(claimExpiresAt: string | null, now = NOW, sellerId = SELLER, place = PLACE) {
  const made = await claimLinkFor({ keyedHash }, place, { sellerId, claimExpiresAt }, now);
  return { ...made, token: made.claimUrl.split('/').at(-1) ?? '' };
}

describe('a claim link', () => {
  it('lives 7 days, to the next full hour', async () => {
    const { expiresAt, statements } = await link(null);
    expect(expiresAt).toBe('2026-06-08T13:00:00.000Z');
    expect(newClaimExpiry(Date.parse('2026-06-01T12:00:00.000Z'))).toBe('2026-06-08T12:00:00.000Z');
    expect(statements[0]?.params).toEqual([expiresAt, SELLER]);
  });

  it('points to the site, or to the host of the API', async () => {
    expect((await link(null)).claimUrl).toMatch(/^http:\/\/localhost:8787\/claim\/[\w-]{36}\.[0-9a-f]{32}$/);
    const place = { ...PLACE, siteUrl: 'https://market.example.org' as string | null } as typeof PLACE;
    expect((await link(null, NOW, SELLER, place)).claimUrl).toMatch(
      /^https:\/\/market\.example\.org\/claim\//,
    );
  });

  it('is given again while more than a day is left, else renewed', async () => {
    const { expiresAt, claimUrl } = await link(null);
    const end = Date.parse(expiresAt);
    const again = await link(expiresAt, end - DAY_MS - 1);
    expect([again.claimUrl, again.statements]).toEqual([claimUrl, []]);
    const renewed = await link(expiresAt, end - DAY_MS);
    expect(renewed.claimUrl).not.toBe(claimUrl);
    expect(renewed.statements).toHaveLength(1);
  });

  it('is the same for requests that make it at the same time', async () => {
    const [one, other] = [await link(null, NOW), await link(null, NOW + 1000)];
    expect(one.claimUrl).toBe(other.claimUrl);
  });

  it('opens for its seller until it ends', async () => {
    const { token, expiresAt } = await link(null);
    const end = Date.parse(expiresAt);
    expect(await resolveClaimToken(ports(expiresAt), token, NOW)).toEqual({ sellerId: SELLER, expiresAt });
    expect(await resolveClaimToken(ports(expiresAt), token, end - 1)).not.toBeNull();
    expect(await resolveClaimToken(ports(expiresAt), token, end)).toBeNull();
    expect(await resolveClaimToken(ports(null), token, NOW)).toBeNull();
  });

  it('ends when a new one is made', async () => {
    const { token } = await link(null);
    expect(await resolveClaimToken(ports(isoTime(NOW + 8 * DAY_MS)), token, NOW)).toBeNull();
  });

  it('cannot be made up or changed', async () => {
    const { token, expiresAt } = await link(null);
    const mac = token.slice(37);
    const tampered = [
      `${OTHER}.${mac}`,
      `${SELLER}.${'0'.repeat(32)}`,
      `${SELLER}.${mac.slice(0, -1)}${mac.endsWith('0') ? '1' : '0'}`,
      `${SELLER}.${mac.slice(0, 16)}`,
      `${SELLER}.${mac}00`,
      token.toUpperCase(),
      ` ${token}`,
      `${token}\n`,
      SELLER,
      '',
      '.',
    ];
    for (const wrong of tampered) {
      expect(await resolveClaimToken(ports(expiresAt), wrong, NOW), wrong).toBeNull();
    }
    const elsewhere = { ...ports(expiresAt), keyedHash: createKeyedHash('another secret of 32 characters!') };
    expect(await resolveClaimToken(elsewhere, token, NOW)).toBeNull();
    const rotated = createKeyedHash('another secret of 32 characters!', SECRET);
    expect(await resolveClaimToken({ ...elsewhere, keyedHash: rotated }, token, NOW)).not.toBeNull();
  });
});

describe('its rules', () => {
  it('reads only what can be a token', () => {
    expect(parseClaimToken(`${SELLER}.${'a'.repeat(32)}`)).toEqual({ sellerId: SELLER, mac: 'a'.repeat(32) });
    expect(parseClaimToken(`${SELLER}/${'a'.repeat(32)}`)).toBeNull();
  });

  it('compares whole texts', () => {
    expect(isSameText('abc', 'abc')).toBe(true);
    for (const other of ['abd', 'xbc', 'ab', 'abcd', '', 'ab\0'])
      expect(isSameText('abc', other)).toBe(false);
  });

  it('never renews to an end that the link already has', () => {
    const first = newClaimExpiry(NOW);
    expect(newClaimExpiry(Date.parse(first) - DAY_MS) > first).toBe(true);
    expect(Date.parse(first) - NOW).toBeLessThan(7 * DAY_MS + HOUR_MS);
  });
});
