import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as noble from '@noble/ed25519';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAcceptablePublicKey, verifyEd25519 } from './ed25519.ts';
import { fromHex, utf8 } from './encoding.ts';

const VECTORS = join(import.meta.dirname, '../../../../test/vectors');

function vectors<T>(file: string): T {
  return JSON.parse(readFileSync(join(VECTORS, file), 'utf8'));
}

function bytes(hex: string): Uint8Array {
  const result = fromHex(hex);
  if (!result) throw new Error(`not hex: ${hex}`);
  return result;
}

/** Little-endian y with the sign of x in the top bit. */
function encodedPoint(y: bigint, sign: 0 | 1): Uint8Array {
  const value = y | (BigInt(sign) << 255n);
  return Uint8Array.from({ length: 32 }, (_, i) => Number((value >> BigInt(8 * i)) & 0xffn));
}

const P = 2n ** 255n - 19n;
const L = 2n ** 252n + 27742317777372353535851937790883648493n;
const ORDER_8_Y = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n;
const SMALL_ORDER = [0n, 1n, P - 1n, ORDER_8_Y, P - ORDER_8_Y, P, P + 1n].flatMap((y) => [
  encodedPoint(y, 0),
  encodedPoint(y, 1),
]);

describe('published vectors', () => {
  type Wycheproof = {
    testGroups: {
      publicKey: { pk: string };
      tests: { tcId: number; msg: string; sig: string; result: 'valid' | 'invalid' }[];
    }[];
  };

  it('Wycheproof: the verdict is the published one in every case', async () => {
    const { testGroups } = vectors<Wycheproof>('wycheproof-ed25519.json');
    const expected: [number, boolean][] = [];
    const actual: [number, boolean][] = [];
    for (const { publicKey, tests } of testGroups) {
      for (const { tcId, msg, sig, result } of tests) {
        expected.push([tcId, result === 'valid']);
        actual.push([tcId, await verifyEd25519(bytes(publicKey.pk), bytes(msg), bytes(sig))]);
      }
    }
    expect(actual).toStrictEqual(expected);
    expect(expected.length).toBe(151);
  });

  // CCTV marks what is odd about each case. Refused: a key or R of small order (low_order_A, low_order_R), one
  // not encoded canonically (non_canonical_A, non_canonical_R; reencoded_k comes only with those), and what
  // satisfies the cofactored equation alone (low_order_residue). A small-order component beside a large one
  // (low_order_component_A, low_order_component_R) is no reason to refuse.
  it('CCTV: accepts exactly the cases that are odd by a small component alone', async () => {
    type Cctv = { number: number; key: string; sig: string; msg: string; flags: string[] | null };
    const harmless = new Set(['low_order_component_A', 'low_order_component_R']);
    const cases = vectors<Cctv[]>('cctv-ed25519.json');
    const expected = cases.filter(({ flags }) => (flags ?? []).every((flag) => harmless.has(flag)));
    const accepted: Cctv[] = [];
    for (const one of cases) {
      if (await verifyEd25519(bytes(one.key), utf8(one.msg), bytes(one.sig))) accepted.push(one);
    }
    expect(accepted.map(({ number }) => number)).toStrictEqual(expected.map(({ number }) => number));
    expect([cases.length, accepted.length]).toStrictEqual([914, 43]);
  });

  it('ed25519-speccheck: accepts case 3 alone', async () => {
    type Speccheck = { message: string; pub_key: string; signature: string };
    const cases = vectors<Speccheck[]>('speccheck-ed25519.json');
    const verdicts = await Promise.all(
      cases.map((one) => verifyEd25519(bytes(one.pub_key), bytes(one.message), bytes(one.signature))),
    );
    expect(verdicts).toStrictEqual([
      false, // 0: A and R of small order
      false, // 1: A of small order
      false, // 2: R of small order
      true, //  3: A and R of mixed order; the cofactorless equation holds
      false, // 4: only the cofactored equation holds
      false, // 5: only the cofactored equation holds, and only with 8 multiplied in before k is reduced
      false, // 6: S ≥ L
      false, // 7: S far beyond L
      false, // 8: R not canonical (and of small order)
      false, // 9: R not canonical, hashed as it would be if reduced
      false, // 10: A not canonical (and of small order)
      false, // 11: A not canonical, hashed as it would be if reduced
    ]);
  });
});

describe('public keys', () => {
  it('refuses all 14 encodings of the points of small order', () => {
    expect(SMALL_ORDER.map(isAcceptablePublicKey)).toStrictEqual(Array(14).fill(false));
    // That these are points of small order, and all of them canonical or not, is noble's finding too.
    for (const encoded of SMALL_ORDER) {
      expect(noble.Point.fromBytes(encoded.slice(), true).isSmallOrder()).toBe(true);
    }
  });

  it('refuses every y from the prime up', () => {
    for (let y = P; y < 2n ** 255n; y++) {
      expect(isAcceptablePublicKey(encodedPoint(y, 0))).toBe(false);
      expect(isAcceptablePublicKey(encodedPoint(y, 1))).toBe(false);
    }
    expect(isAcceptablePublicKey(encodedPoint(P - 2n, 0))).toBe(true);
    expect(isAcceptablePublicKey(encodedPoint(2n ** 255n - 1n - (1n << 100n), 1))).toBe(true);
  });

  it('refuses other lengths', () => {
    expect(isAcceptablePublicKey(new Uint8Array(31).fill(9))).toBe(false);
    expect(isAcceptablePublicKey(new Uint8Array(33).fill(9))).toBe(false);
  });

  it('never lets one signature fit many messages', async () => {
    // With A the neutral point, R = [S]B satisfies the equation for every message.
    const r = noble.Point.BASE.toBytes();
    const signature = Uint8Array.from([...r, 1, ...new Uint8Array(31)]);
    expect(await verifyEd25519(encodedPoint(1n, 0), utf8('anything'), signature)).toBe(false);
  });

  it('is false, not an error, for a y without a point', async () => {
    const { secretKey } = await noble.keygenAsync();
    const signature = await noble.signAsync(utf8('m'), secretKey);
    expect(isAcceptablePublicKey(encodedPoint(2n, 0))).toBe(true);
    expect(await verifyEd25519(encodedPoint(2n, 0), utf8('m'), signature)).toBe(false);
  });
});

describe('signatures', () => {
  it('of noble are accepted, and no change of them is', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.uint8Array({ maxLength: 200 }),
        fc.nat({ max: 511 }),
        async (secretKey, message, bit) => {
          const publicKey = await noble.getPublicKeyAsync(secretKey);
          const signature = await noble.signAsync(message, secretKey);
          expect(await verifyEd25519(publicKey, message, signature)).toBe(true);
          expect(await noble.verifyAsync(signature, message, publicKey)).toBe(true);

          const changed = signature.slice();
          changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
          expect(await verifyEd25519(publicKey, message, changed)).toBe(false);
          expect(await verifyEd25519(publicKey, Uint8Array.of(...message, 0), signature)).toBe(false);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('of other lengths, with S + L, or with R of small order are refused', async () => {
    const { secretKey, publicKey } = await noble.keygenAsync();
    const message = utf8('m');
    const signature = await noble.signAsync(message, secretKey);
    const s = signature.slice(32).reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
    const malleated = Uint8Array.of(...signature.slice(0, 32), ...encodedPoint(s + L, 0));
    expect(await verifyEd25519(publicKey, message, malleated)).toBe(false);
    expect(await verifyEd25519(publicKey, message, signature.slice(0, 63))).toBe(false);
    expect(await verifyEd25519(publicKey, message, Uint8Array.of(...signature, 0))).toBe(false);
    for (const r of SMALL_ORDER) {
      expect(await verifyEd25519(publicKey, message, Uint8Array.of(...r, ...signature.slice(32)))).toBe(
        false,
      );
    }
  });

  it('are judged alike with the key in the cache and out of it', async () => {
    const pairs = await Promise.all(Array.from({ length: 300 }, () => noble.keygenAsync()));
    const message = utf8('m');
    for (const round of [1, 2]) {
      for (const { secretKey, publicKey } of pairs) {
        const signature = await noble.signAsync(message, secretKey);
        expect([round, await verifyEd25519(publicKey, message, signature)]).toStrictEqual([round, true]);
        expect(await verifyEd25519(publicKey, utf8('n'), signature)).toBe(false);
      }
    }
  });
});
