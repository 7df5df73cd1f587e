import { pictureSeed } from './picture-seed.ts';

interface Pictured {
  readonly title: string;
  readonly verticalSlug: string;
  /** Of the seller, as the marketplace drew them anew: paths below the API root. */
  readonly pictures?: readonly {
    readonly height: number;
    readonly large: string;
    readonly small: string;
    readonly width: number;
  }[];
}

/** A picture for previews of links. */
export interface Preview {
  readonly path: string;
  readonly type: 'image/png' | 'image/jpeg';
  readonly width: number;
  readonly height: number;
}

/** Where this site has what the API has. */
const onSite = (path: string): string => path.replace(/^\/marketplace/, '');

/** The small picture of a listing: its seller's first, or one that is drawn from its title, with the icon of its vertical. */
export function picturePath({ title, verticalSlug, pictures = [] }: Pictured): string {
  const [first] = pictures;
  return first
    ? onSite(first.small)
    : `/pictures/${encodeURIComponent(verticalSlug)}/${pictureSeed(title)}.svg`;
}

/** The large pictures of its seller. */
export function largePictures({ pictures = [] }: Pick<Pictured, 'pictures'>) {
  return pictures.map(({ large, width, height }) => ({ path: onSite(large), width, height }));
}

/** As previews of links want it, in a format that all of them read: drawn from a title, where there is no other. */
export function previewOf({ title, pictures }: Pick<Pictured, 'title' | 'pictures'>): Preview {
  const [first] = largePictures({ pictures: pictures ?? [] });
  return first
    ? { ...first, type: 'image/jpeg' }
    : { path: `/pictures/${pictureSeed(title)}.png`, type: 'image/png', width: 600, height: 315 };
}
