import { WorkerEntrypoint } from 'cloudflare:workers';
import { imageRelay } from '@agent-marketplace/core/compose/image-relay.ts';
import { sellerRelay } from '@agent-marketplace/core/compose/seller-relay.ts';
import type {
  ImageRelay,
  ImageReply,
  ImageRequest,
} from '@agent-marketplace/core/kernel/ports/images/image-fetcher.ts';
import type {
  EndpointReply,
  Relay,
  SignedRequest,
} from '@agent-marketplace/core/kernel/ports/seller-endpoint.ts';

interface RelayBindings {
  /** Draws pictures anew; without it, none of sellers are shown. */
  readonly IMAGES?: ImagesBinding;
}

const relay = sellerRelay(globalThis.fetch);

export default class extends WorkerEntrypoint<RelayBindings> implements Relay, ImageRelay {
  post(request: SignedRequest): Promise<EndpointReply> {
    return relay.post(request);
  }

  image(request: ImageRequest): Promise<ImageReply> {
    return imageRelay(globalThis.fetch, this.env.IMAGES).image(request);
  }
}
