import { DurableObject } from 'cloudflare:workers';
import type { PublishedKey } from '@agent-marketplace/protocol/crypto/signer.ts';

const KEY = 'published';

/** The public keys that ever signed for the door, as the Worker that publishes them says. There is one object. */
export class KeysObject extends DurableObject {
  storeKeys(published: readonly PublishedKey[]): void {
    this.ctx.storage.kv.put(KEY, published);
  }

  /** Null until they were told. */
  list(): readonly PublishedKey[] | null {
    return this.ctx.storage.kv.get<readonly PublishedKey[]>(KEY) ?? null;
  }
}
