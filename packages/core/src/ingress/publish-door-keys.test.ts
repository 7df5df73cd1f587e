import type { PublishedKey } from '@agent-marketplace/protocol/crypto/signer.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { createSigner, generateSigningKey } from '../adapters/keys/keyring.ts';
import { isoTime } from '../kernel/time.ts';
import { listPublishedKeys, publishActiveKey } from '../provenance/index.ts';
import { TEST_INGRESS_SIGNING_KEY, TEST_OTHER_SIGNING_KEY } from '../testing/marketplace/test-bindings.ts';
import { testBindings } from '../testing/marketplace/workers-bindings.ts';
import { createTestMarketplace } from '../testing/marketplace/workers-harness.ts';
import { publishDoorKeys } from './publish-door-keys.ts';

const market = createTestMarketplace();
const { clock } = market;
const { market: db } = market.newPorts();
beforeEach(() => testBindings.DB.prepare('DELETE FROM signing_keys').run());

const keyOf = async (secret: string) => (await createSigner(secret).activeKey()).raw;

/** One minute of the jobs with a door that signs with this key; what the door was told. */
async function publish(raw: Uint8Array): Promise<readonly PublishedKey[]> {
  clock.advance(60_000);
  let storedKeys: readonly PublishedKey[] = [];
  const doorKeys = {
    activeKey: async () => raw,
    storeKeys: async (published: readonly PublishedKey[]) => {
      storedKeys = published;
    },
  };
  await publishDoorKeys({ market: db, clock, doorKeys });
  return storedKeys;
}

const statesOf = (keys: readonly PublishedKey[]) => keys.map(({ keyId, retiredAt }) => [keyId, retiredAt]);

describe('the keys of the door', () => {
  it('are published, and told to the door with those before them', async () => {
    const first = await publish(await keyOf(TEST_INGRESS_SIGNING_KEY));
    expect(first).toMatchObject([{ raw: await keyOf(TEST_INGRESS_SIGNING_KEY), retiredAt: null }]);
    const second = await publish(await keyOf(TEST_OTHER_SIGNING_KEY));
    expect(statesOf(second)).toEqual([
      [(await createSigner(TEST_OTHER_SIGNING_KEY).activeKey()).keyId, null],
      [first[0]?.keyId, isoTime(clock.now())],
    ]);
    expect(await publish(await keyOf(TEST_OTHER_SIGNING_KEY))).toEqual(second);
    expect(await listPublishedKeys(db, 'ingress')).toEqual(second);
  });

  it('of a door that was taken over: the platform’s keys stay as they are', async () => {
    const platform = [(await generateSigningKey()).publicKey, (await generateSigningKey()).publicKey];
    for (const key of platform) {
      clock.advance(1);
      await publishActiveKey(db, key, isoTime(clock.now()));
    }
    const before = await listPublishedKeys(db);
    expect(before.map(({ retiredAt }) => retiredAt === null)).toEqual([true, false]);
    for (const { raw } of platform) expect(await publish(raw)).toEqual([]);
    await expect(publish(new Uint8Array(31))).rejects.toThrow();
    expect(await listPublishedKeys(db)).toEqual(before);
  });
});
