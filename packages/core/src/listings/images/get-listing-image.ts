import { sha256Hex } from '@agent-marketplace/protocol/crypto/digest.ts';
import * as z from 'zod';
import { commonErrors, defineErrors, Refusal } from '../../kernel/errors.ts';
import { defineOperation, FileAnswer } from '../../kernel/operation/operation.ts';
import { listingId } from '../listings.schema.ts';
import { findImageSize } from './listing-images.store.ts';

const errors = defineErrors({
  image_not_found: {
    kind: 'not_found',
    title: 'No listing that is for sale has this picture.',
    remedy: 'Take the path from `pictures` of the listing.',
  },
});

const MEDIA_TYPES = { small: 'image/webp', large: 'image/jpeg' } as const;

export const getListingImage = defineOperation({
  name: 'getListingImage',
  summary: 'A picture of a listing.',
  description:
    'As the marketplace drew it anew from what the seller named: no byte of the original is in it. Take the path from ' +
    '`pictures` of a listing.',
  area: 'Listings',
  auth: 'none',
  input: z.object({ listingId, image: z.string().max(64).describe('SHA-256 of its bytes, lower-case hex.') }),
  output: z.instanceof(FileAnswer),
  file: { mediaTypes: Object.values(MEDIA_TYPES) },
  errors: [errors.image_not_found],
  http: {
    method: 'get',
    path: '/marketplace/listings/{id}/images/{image}',
    status: 200,
    names: { listingId: 'id' },
  },
  rate: 'read',
  prefetch: ({ market }, { listingId: id, image }) => findImageSize(market, id, image),
  async handle({ ports, requestId }, { image }, size) {
    if (size === null) throw new Refusal(errors.image_not_found);
    const contentType = MEDIA_TYPES[size];
    const filename = `${image.slice(0, 16)}.${contentType.slice('image/'.length)}`;
    return new FileAnswer({ digest: `sha256:${image}`, contentType, filename }, async () => {
      const object = await ports.attachments?.get(image);
      if (object?.kind === 'found' && (await sha256Hex(object.bytes)) === image) return object.bytes;
      if (object?.kind !== 'unavailable')
        ports.log.error('listing_image_damaged', { requestId, image, found: object?.kind ?? null });
      throw new Refusal(commonErrors.service_unavailable, { retryAfterSeconds: 5 });
    });
  },
});
