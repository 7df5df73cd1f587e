/** A picture as it was drawn anew. */
export interface DrawnPicture {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Why a picture is never shown. */
export type ImageRefusal =
  | 'url_refused'
  | 'redirected'
  | 'not_found'
  | 'too_large'
  /** By its own first bytes, whatever its server calls it. */
  | 'not_an_image'
  | 'too_many_pixels';

export type ImageReply =
  | {
      readonly kind: 'fetched';
      /** A square WebP for lists. */
      readonly small: DrawnPicture;
      /** A JPEG, which every program reads that previews links. */
      readonly large: DrawnPicture;
    }
  | { readonly kind: 'refused'; readonly reason: ImageRefusal }
  /** Nobody answered in time, or it could not be drawn now: another try may end otherwise. */
  | { readonly kind: 'failed' };

/** Fetches pictures from hosts that strangers named, and draws them anew: no byte of the original is kept. Never throws. */
export interface ImageFetcher {
  fetch(url: string): Promise<ImageReply>;
}

/** What draws a picture anew. Throws where it cannot. */
export interface ImageResizer {
  /** The middle of it, as a square WebP. */
  small(image: Uint8Array): Promise<Uint8Array>;
  /** The whole, as a JPEG. */
  large(image: Uint8Array): Promise<Uint8Array>;
}

export interface ImageRequest {
  readonly url: string;
  /** Local development only. */
  readonly allowLoopbackHttp: boolean;
}

/** The relay's part of it. */
export interface ImageRelay {
  image(request: ImageRequest): Promise<ImageReply>;
}
