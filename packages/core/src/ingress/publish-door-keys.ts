import { keyIdOf } from '@agent-marketplace/protocol/crypto/key-id.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { isoTime } from '../kernel/time.ts';
import { listPublishedKeys, publishActiveKey } from '../provenance/index.ts';

/** Publishes the key that the door signs with, and tells the door all that were published: it has no database. */
export async function publishDoorKeys({
  market,
  doorKeys,
  clock,
}: Pick<Ports, 'market' | 'doorKeys' | 'clock'>): Promise<void> {
  if (doorKeys === null) return;
  const raw = await doorKeys.activeKey();
  // The id is made here: the door cannot give its key the id of another.
  const key = { keyId: await keyIdOf(raw), raw };
  await publishActiveKey(market, key, isoTime(clock.now()), 'ingress');
  await doorKeys.storeKeys(await listPublishedKeys(market, 'ingress'));
}
