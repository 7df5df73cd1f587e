import { WorkerEntrypoint } from 'cloudflare:workers';
import { sellerRelay } from '@agent-marketplace/core/compose/seller-relay.ts';
import type {
  EndpointReply,
  Relay,
  SignedRequest,
} from '@agent-marketplace/core/kernel/ports/seller-endpoint.ts';

const relay = sellerRelay(globalThis.fetch);

export default class extends WorkerEntrypoint implements Relay {
  post(request: SignedRequest): Promise<EndpointReply> {
    return relay.post(request);
  }
}
