import { createDnsOverHttpsResolver, type HostResolver } from '../adapters/fetch/dns-over-https-resolver.ts';
import { createRelay } from '../adapters/fetch/relay.ts';
import { hashInPieces } from '../adapters/system/hash-in-pieces.ts';
import { nextTask } from '../adapters/system/next-task.ts';
import { createArrivingDigests, readReply } from '../delivery/index.ts';
import type { Relay } from '../kernel/ports/seller-endpoint.ts';

/** The relay to hosts that strangers named. Names are looked up with the same `fetch`, unless told otherwise. */
export function sellerRelay(
  fetch: typeof globalThis.fetch,
  resolveHost: HostResolver = createDnsOverHttpsResolver({ fetch }),
): Relay {
  const { send } = createRelay({
    fetch,
    resolveHost,
    digests: () => createArrivingDigests(hashInPieces),
    read: ({ reading }, reply) => readReply(reading, reply, nextTask),
  });
  return { post: send };
}
