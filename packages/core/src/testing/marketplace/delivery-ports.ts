import { createSellerEndpoint } from '../../adapters/fetch/seller-endpoint.ts';
import { sellerRelay } from '../../compose/seller-relay.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { createFakePollingMailbox } from '../doubles/fake-polling-mailbox.ts';
import { createLocalSigner } from '../doubles/local-signer.ts';

/** What a delivery takes, with the real HTTP adapter, let loose on loopback. */
export function createDeliveryPorts(): Pick<Ports, 'clock' | 'ids' | 'sellerEndpoint' | 'pollingMailbox'> {
  const clock = {
    now: () => Date.now(),
    sleep: (durationMs: number) => new Promise<void>((resolve) => setTimeout(resolve, durationMs)),
  };
  return {
    clock,
    ids: {
      uuid: () => crypto.randomUUID(),
      randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    },
    sellerEndpoint: createSellerEndpoint({
      signer: createLocalSigner(),
      clock,
      relay: sellerRelay(fetch, async () => null),
      allowLoopbackHttp: true,
    }),
    pollingMailbox: createFakePollingMailbox(),
  };
}
