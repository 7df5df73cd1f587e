import { picturePath } from '../../pictures/picture-seed.ts';

interface ListingPicture {
  readonly listing: { readonly title: string; readonly verticalSlug: string };
  /** Of its sides, in pixels. */
  readonly size?: number;
}

/** The picture of a listing, drawn from its title. It says nothing that the title does not. */
export function ListingPicture({ listing, size = 40 }: ListingPicture) {
  return <img class="picture" src={picturePath(listing)} alt="" width={size} height={size} loading="lazy" />;
}
