import { count, countNoun } from '../../format/figures.ts';
import { categoryIcon } from '../../icons/listing-icon.ts';
import { Icon } from '../icon.tsx';

interface Category {
  readonly slug: string;
  readonly name: string;
  readonly listingCount: number;
}

/** The categories as tiles: icon, name, and how many listings there are. Those without any are folded. */
export function CategoryTiles({ categories }: { categories: readonly Category[] }) {
  const filled = categories
    .filter(({ listingCount }) => listingCount > 0)
    .toSorted((a, b) => b.listingCount - a.listingCount);
  const empty = categories.filter(({ listingCount }) => listingCount === 0);
  if (filled.length === 0) return <Tiles categories={empty} />;
  return (
    <>
      <Tiles categories={filled} />
      {empty.length > 0 && (
        <details>
          <summary>{countNoun(empty.length, 'category', 'categories')} with nothing for sale yet</summary>
          <Tiles categories={empty} />
        </details>
      )}
    </>
  );
}

function Tiles({ categories }: { categories: readonly Category[] }) {
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
