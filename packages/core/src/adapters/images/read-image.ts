import type {
  DrawnPicture,
  ImageRefusal,
  ImageReply,
  ImageResizer,
} from '../../kernel/ports/images/image-fetcher.ts';
import type { HttpReply, NoReply } from '../../kernel/ports/seller-endpoint.ts';
import { readImageHeader } from './image-header.rules.ts';

/** What cameras take, and no more than a decoder has memory for. */
const MAX_PIXELS = 25_000_000;
const MAX_SIDE = 10_000;
/** A drawing of it that is larger is noise. */
const MAX_DRAWN_BYTES = 1024 * 1024;

const refused = (reason: ImageRefusal): ImageReply => ({ kind: 'refused', reason });

/** Judges a reply by its bytes, and has it drawn. The `content-type` of its server says nothing. */
export async function readImage({ status, body }: HttpReply, resizer: ImageResizer): Promise<ImageReply> {
  if (status === 429 || status >= 500) return { kind: 'failed' };
  if (status !== 200) return refused('not_found');
  const header = readImageHeader(body);
  if (header === null) return refused('not_an_image');
  const { width, height } = header;
  if (Math.max(width, height) > MAX_SIDE || width * height > MAX_PIXELS) return refused('too_many_pixels');
  const [small, large] = await Promise.all([resizer.small(body), resizer.large(body)]).catch(() => []);
  if (!small || !large) return { kind: 'failed' };
  const pictures = [pictureOf(small, 'webp'), pictureOf(large, 'jpeg')] as const;
  if (pictures[0] === null || pictures[1] === null) return { kind: 'failed' };
  if (small.length + large.length > MAX_DRAWN_BYTES) return refused('too_large');
  return { kind: 'fetched', small: pictures[0], large: pictures[1] };
}

/** Null: it is not of the type that it is served as. */
function pictureOf(bytes: Uint8Array, type: 'webp' | 'jpeg'): DrawnPicture | null {
  const header = readImageHeader(bytes);
  return header?.type === type ? { bytes, width: header.width, height: header.height } : null;
}

/** What became of a call without a reply. */
export function imageOfNoReply(reply: NoReply): ImageReply {
  switch (reply.kind) {
    case 'url_refused':
    case 'redirected':
    case 'too_large':
      return refused(reply.kind);
    case 'unreachable':
    case 'timed_out':
    case 'relay_busy':
      return { kind: 'failed' };
  }
}
