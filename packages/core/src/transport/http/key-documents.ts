import type { PublicKey } from '@agent-marketplace/protocol/crypto/signer.ts';
import { STANDARD_DOCUMENTS } from '../../kernel/documents/standard-documents.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { type EpochMs, MINUTE_MS } from '../../kernel/time.ts';
import { didDocument, type KeyDocument, keySet } from '../documents/key-documents.ts';

/** Every key that ever signed, newest first; the one that signs now need not be among them yet. */
export type ListKeys = (market: Ports['market']) => Promise<readonly PublicKey[]>;
type KeyPorts = Pick<Ports, 'market' | 'signer' | 'clock'>;

export const KEY_DOCUMENTS: readonly { readonly path: string; readonly build: KeyDocument }[] = [
  { path: STANDARD_DOCUMENTS.did, build: didDocument },
  { path: STANDARD_DOCUMENTS.keySet, build: keySet },
];

/** Keys rotate rarely, and these paths have no rate limit: an isolate reads them once a minute at most. */
const FRESH_MS = MINUTE_MS;

/** Reads the keys that documents list. Without the database, those that were read before are better than none. */
export function createKeyReader(listKeys: ListKeys): (ports: KeyPorts) => Promise<readonly PublicKey[]> {
  let last: { readonly at: EpochMs; readonly keys: Promise<readonly PublicKey[]> } | undefined;
  return (ports) => {
    const now = ports.clock.now();
    if (last !== undefined && now - last.at < FRESH_MS) return last.keys;
    const former = last?.keys;
    const keys = readKeys(ports, listKeys).catch((error: unknown) => {
      if (former === undefined) last = undefined;
      return former ?? Promise.reject(error);
    });
    last = { at: now, keys };
    return keys;
  };
}

async function readKeys({ market, signer }: KeyPorts, listKeys: ListKeys): Promise<readonly PublicKey[]> {
  const [active, published] = await Promise.all([signer.activeKey(), listKeys(market)]);
  return [active, ...published.filter(({ keyId }) => keyId !== active.keyId)];
}
