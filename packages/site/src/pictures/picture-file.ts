import { listingIcon } from '../icons/listing-icon.ts';
import { drawPng } from './draw-png.ts';
import { drawSvg } from './draw-svg.ts';

const SQUARE = /^\/pictures\/([a-z0-9-]{1,64})\/([0-9a-f]{8})\.svg$/;
const PREVIEW = /^\/pictures\/([0-9a-f]{8})\.png$/;
/** The path holds all that the picture is made of. */
const CACHE = 'public, max-age=31536000, immutable';

/** The pictures of listings. Null for other paths. */
export function pictureFile({ pathname }: URL): Response | null {
  const square = SQUARE.exec(pathname);
  if (square) {
    const [, slug = '', seed = ''] = square;
    // A general vertical shows the icon of its category.
    const picture = drawSvg(seed, listingIcon(slug, slug.replace(/-general$/, '')));
    return new Response(picture, { headers: { 'content-type': 'image/svg+xml', 'cache-control': CACHE } });
  }
  const preview = PREVIEW.exec(pathname);
  if (!preview) return null;
  const headers = { 'content-type': 'image/png', 'cache-control': CACHE };
  return new Response(drawPng(preview[1] ?? ''), { headers });
}
