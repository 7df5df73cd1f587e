import { createDnsOverHttpsResolver, type HostResolver } from '../adapters/fetch/dns-over-https-resolver.ts';
import { createRelay, type OutboundRequest } from '../adapters/fetch/relay.ts';
import { USER_AGENT } from '../adapters/fetch/seller-endpoint.ts';
import { createImagesResizer, type ImagesService } from '../adapters/images/images-resizer.ts';
import { imageOfNoReply, readImage } from '../adapters/images/read-image.ts';
import { Slots } from '../adapters/system/slots.ts';
import type { ImageRelay, ImageReply } from '../kernel/ports/images/image-fetcher.ts';
import type { NoReply } from '../kernel/ports/seller-endpoint.ts';
import { SECOND_MS } from '../kernel/time.ts';

const PICTURES_AT_ONCE = new Slots(16, 4);
const LARGE_PICTURES_AT_ONCE = new Slots(4, 2);
/** Nothing of whoever reads the page: the request is the marketplace's own. */
const IMAGE_HEADERS = { accept: 'image/webp,image/png,image/jpeg,image/gif', 'user-agent': USER_AGENT };
const IMAGE_TIMEOUT_MS = 10 * SECOND_MS;
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;

/** The relay to pictures that strangers named. Without a service that draws them anew, none is fetched. */
export function imageRelay(
  fetch: typeof globalThis.fetch,
  images: ImagesService | undefined,
  resolveHost: HostResolver = createDnsOverHttpsResolver({ fetch }),
): ImageRelay {
  const resizer = images && createImagesResizer(images);
  return {
    async image(request) {
      if (resizer === undefined) return { kind: 'failed' };
      const { send } = createRelay<ImageReply, OutboundRequest>({
        fetch,
        resolveHost,
        calls: PICTURES_AT_ONCE,
        largeReplies: LARGE_PICTURES_AT_ONCE,
        read: (_request, reply) => readImage(reply, resizer),
      });
      const reply = await send({
        ...request,
        headers: IMAGE_HEADERS,
        timeoutMs: IMAGE_TIMEOUT_MS,
        maxBytes: MAX_IMAGE_BYTES,
      });
      return isImageReply(reply) ? reply : imageOfNoReply(reply);
    },
  };
}

function isImageReply(reply: ImageReply | NoReply): reply is ImageReply {
  return reply.kind === 'fetched' || reply.kind === 'refused' || reply.kind === 'failed';
}
