import { count } from '../../format/figures.ts';
import { categoryIcon } from '../../icons/listing-icon.ts';
import { Icon } from '../icon.tsx';

interface Category {
  readonly slug: string;
  readonly name: string;
  readonly listingCount: number;
}

/** The categories as tiles: icon, name, and how many listings there are. */
export function CategoryTiles({ categories }: { categories: readonly Category[] }) {
  return (
    <ul class="tiles">
      {categories.map(({ slug, name, listingCount }) => (
        <li>
          <a class="tile" href={`/listings?category=${encodeURIComponent(slug)}`}>
            <Icon icon={categoryIcon(slug)} size={22} />
            <span>{name}</span>
            <span class="fine">{count(listingCount)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
