import { picturePath } from '../../pictures/picture-of.ts';

interface ListingPicture {
  readonly listing: Parameters<typeof picturePath>[0];
  /** Of its sides, in pixels. */
  readonly size?: number;
}

/** The picture of a listing in a list. It stands beside the title, so readers of screens are told nothing of it. */
export function ListingPicture({ listing, size = 40 }: ListingPicture) {
  return <img class="picture" src={picturePath(listing)} alt="" width={size} height={size} loading="lazy" />;
}
