import type { ImageFetcher, ImageReply } from '../../kernel/ports/images/image-fetcher.ts';
import { drawnJpeg, drawnWebp } from '../fixtures/pictures.ts';

/** Pictures of which each has bytes of its own. */
export class FakeImageFetcher implements ImageFetcher {
  readonly urls: string[] = [];
  /** May be replaced at any time. */
  script: (url: string) => ImageReply | Promise<ImageReply> = pictureAt;

  async fetch(url: string): Promise<ImageReply> {
    this.urls.push(url);
    return this.script(url);
  }
}

export function pictureAt(url: string): ImageReply {
  const mark = new TextEncoder().encode(url);
  const marked = (head: Uint8Array) => new Uint8Array([...head, ...mark]);
  return {
    kind: 'fetched',
    small: { bytes: marked(drawnWebp(160, 160)), width: 160, height: 160 },
    large: { bytes: marked(drawnJpeg(1200, 900)), width: 1200, height: 900 },
  };
}
