import type { ImageResizer } from '../../kernel/ports/images/image-fetcher.ts';

/** The part of Cloudflare Images that is used. */
export type ImagesService = Pick<ImagesBinding, 'input'>;

/** Twice the size of a row's picture, for dense screens. */
const SMALL = { width: 160, height: 160, fit: 'cover' } as const;
const LARGE = { width: 1200, height: 1200, fit: 'scale-down', background: '#ffffff' } as const;

/** Draws pictures anew with Cloudflare Images: what was hidden in or behind the original is not in them. */
export function createImagesResizer(images: ImagesService): ImageResizer {
  async function draw(
    image: Uint8Array,
    transform: ImageTransform,
    output: ImageOutputOptions,
  ): Promise<Uint8Array> {
    const source = new Response(image as Uint8Array<ArrayBuffer>).body as ReadableStream<Uint8Array>;
    const drawn = await images.input(source).transform(transform).output(output);
    return new Uint8Array(await drawn.response().arrayBuffer());
  }
  return {
    // Of what moves, the first picture.
    small: (image) => draw(image, SMALL, { format: 'image/webp', quality: 80, anim: false }),
    large: (image) => draw(image, LARGE, { format: 'image/jpeg', quality: 82, anim: false }),
  };
}
