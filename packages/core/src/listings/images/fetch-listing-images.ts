import { sha256Hex } from '@agent-marketplace/protocol/crypto/digest.ts';
import { beginUploads, endUploads, isBeingRemoved } from '../../inquiries/index.ts';
import { drainOutbox } from '../../kernel/outbox.ts';
import type { ImageReply } from '../../kernel/ports/images/image-fetcher.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { DAY_MS, isoTime } from '../../kernel/time.ts';
import { refreshAfterChange } from '../refresh-search-documents.ts';
import {
  areWithinDay,
  type ClaimedImage,
  claimImages,
  isLastTry,
  postponeImage,
  refuseImage,
  showImage,
} from './listing-images.store.ts';

type ImagePorts = Pick<Ports, 'market' | 'search' | 'clock' | 'ids' | 'log' | 'attachments' | 'images'>;

/** How many pictures one run fetches. The next one, a minute later, continues. */
const PER_RUN = 40;

/**
 * Fetches the pictures of listings that are for sale, each once: no reader makes the marketplace call a seller's server. A
 * picture that cannot be had is tried again for a day; one that is none is never asked for again.
 */
export async function fetchListingImages(ports: ImagePorts): Promise<number> {
  const { market, clock, images, attachments } = ports;
  if (images === null || attachments === null) return 0;
  const outbox = {
    recordAndClaimBatch: (_outcomes: unknown, due: Parameters<typeof claimImages>[1]) =>
      claimImages(market, due),
    sendAll: async (claimed: readonly ClaimedImage[]) => {
      const now = clock.now();
      const isWithin = await areWithinDay(market, claimed, now);
      await Promise.all(
        claimed.map(async (image, index) => {
          if (!isWithin[index]) return market.commit([postponeImage(image, isoTime(nextDay(now)))]);
          return recordReply(ports, image, await images.fetch(image.url));
        }),
      );
    },
  };
  return drainOutbox(outbox, PER_RUN, clock);
}

const nextDay = (now: number): number => now - (now % DAY_MS) + DAY_MS;

async function recordReply(ports: ImagePorts, image: ClaimedImage, reply: ImageReply): Promise<void> {
  const { market } = ports;
  switch (reply.kind) {
    case 'fetched':
      return keepPictures(ports, image, reply);
    case 'refused':
      await market.commit([refuseImage(image, reply.reason)]);
      return;
    case 'failed':
      if (isLastTry(image)) await market.commit([refuseImage(image, 'gave_up')]);
  }
}

/** Bytes are noted, then stored, then shown: what is stored and never shown is found and removed. */
async function keepPictures(
  ports: ImagePorts,
  image: ClaimedImage,
  { small, large }: Extract<ImageReply, { kind: 'fetched' }>,
): Promise<void> {
  const { market, attachments, clock, ids } = ports;
  const sha256s = await Promise.all([small, large].map(({ bytes }) => sha256Hex(bytes)));
  const [smallSha256 = '', largeSha256 = ''] = sha256s;
  const upload = { messageId: ids.uuid(), sha256s };
  try {
    await market.commit(beginUploads(upload, isoTime(clock.now())));
  } catch (error) {
    // The same bytes are being removed: the next try finds them gone.
    if (isBeingRemoved(error)) return;
    throw error;
  }
  const stored = await Promise.all(
    [small, large].map(({ bytes }, at) => attachments?.put(sha256s[at] ?? '', bytes)),
  );
  if (stored.some((outcome) => outcome !== 'done')) return;
  const { height, width } = large;
  const picture = { height, large: largeSha256, small: smallSha256, width };
  await market.commit([...showImage(image, picture, isoTime(clock.now())), endUploads(upload)]);
  await refreshAfterChange(ports, [image.listingId]);
}
