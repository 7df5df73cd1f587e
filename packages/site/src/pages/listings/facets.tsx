import type { Operations } from '@agent-marketplace/sdk';
import type { Child } from 'hono/jsx';
import { Icon } from '../../components/icon.tsx';
import { count, countNoun } from '../../format/figures.ts';
import type { IconData } from '../../icons/icon-data.ts';
import { categoryIcon, listingIcon } from '../../icons/listing-icon.ts';
import type { Catalogue } from './catalogue.ts';
import { type Choice, choiceOf, choicesOf, chosenOf, type Filters, filterAddress } from './filters.ts';

type Counts = NonNullable<Operations['browseListings']['output']['facets']>;

interface FacetsProps {
  /** Of what was found for words; null: nothing was searched for, so that nothing was counted. */
  readonly counts: Counts | null;
  readonly filters: Filters;
  readonly catalogue: Catalogue;
}

/** A part of what was found, and the address that shows only it. */
interface Part {
  readonly name: string;
  /** Null: not counted. */
  readonly count: number | null;
  readonly href: string;
  readonly icon?: IconData;
}

const MOST = 13;

/**
 * What narrows the list: links with counts, then a form for what is chosen less often. On a phone it is closed above the
 * list, in a wide window open beside it; the style sheet alone decides.
 */
export function Facets({ counts, filters, catalogue }: FacetsProps) {
  const narrow = (changes: Readonly<Record<string, string | null>>) => filterAddress(filters, changes);
  const inForce = chosenOf(filters).length;
  return (
    <details class="filters">
      <summary>Filters{inForce > 0 && ` (${inForce} in force)`}</summary>
      <nav class="facets" aria-label="Narrow the search">
        <Group title="Category" parts={categoryParts({ counts, filters, catalogue })} />
        <Group title="Kind" parts={verticalParts({ counts, filters, catalogue })} />
        {filters.has('price') ? null : <Group title="Price" parts={priceParts(counts, narrow)} />}
        {filters.has('min_rating') ? null : (
          <Group title="Buyers’ rating" parts={ratingParts(counts, narrow)} isKept />
        )}
        <FurtherForm filters={filters} />
      </nav>
    </details>
  );
}

function categoryParts({ counts, filters, catalogue }: FacetsProps): Part[] {
  if (filters.has('category')) return [];
  const found =
    counts?.category ?? catalogue.categories.map((one) => ({ value: one.slug, count: one.listingCount }));
  return found.map((one) => ({
    name: nameOf(catalogue.categories, one.value),
    count: one.count,
    href: filterAddress(filters, { category: one.value }),
    icon: categoryIcon(one.value),
  }));
}

function verticalParts({ counts, filters, catalogue }: FacetsProps): Part[] {
  if (filters.has('vertical')) return [];
  const category = filters.get('category');
  const ofCategory = catalogue.verticals.filter((one) => one.category === category);
  const found = counts?.vertical ?? ofCategory.map((one) => ({ value: one.slug, count: one.listingCount }));
  return found.map((one) => ({
    name: nameOf(catalogue.verticals, one.value),
    count: one.count,
    href: filterAddress(filters, { vertical: one.value }),
    icon: listingIcon(
      one.value,
      catalogue.verticals.find(({ slug }) => slug === one.value)?.category ?? 'other',
    ),
  }));
}

type Narrow = (changes: Readonly<Record<string, string>>) => string;

function priceParts(counts: Counts | null, narrow: Narrow): Part[] {
  const free = counts?.price.find(({ maxCents }) => maxCents === 0)?.count ?? 0;
  const priced = counts?.price.reduce((sum, one) => sum + one.count, -free) ?? 0;
  return [
    { name: 'Free', count: counts && free, href: narrow({ price: 'free' }) },
    { name: 'Priced', count: counts && priced, href: narrow({ price: 'paid' }) },
  ];
}

function ratingParts(counts: Counts | null, narrow: Narrow): Part[] {
  const found = counts?.quality ?? [4, 3].map((minRating) => ({ minRating, count: null }));
  return found.map((one) => ({
    name: `${countNoun(one.minRating, 'star')} or more`,
    count: one.count,
    href: narrow({ min_rating: String(one.minRating) }),
  }));
}

/** One part alone narrows nothing, unless the group says otherwise. */
function Group({
  title,
  parts,
  isKept = false,
}: {
  title: string;
  parts: readonly Part[];
  isKept?: boolean;
}) {
  const useful = parts.filter((part) => part.count !== 0).slice(0, MOST);
  if (useful.length < (isKept ? 1 : 2)) return null;
  return (
    <section class="facet">
      <h2>{title}</h2>
      <ul>
        {useful.map((part) => (
          <li>
            <a href={part.href}>
              {part.icon && <Icon icon={part.icon} />}
              <span>{part.name}</span>
            </a>
            {part.count !== null && <span class="fine">{count(part.count)}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

const FURTHER: readonly (readonly [Choice, string])[] = [
  ['min_success', 'Success of deliveries'],
  ['max_latency_ms', 'Speed of deliveries'],
  ['type', 'Copies'],
  ['samples', 'Free examples by the marketplace'],
  ['class', 'Who is live now'],
  ['rail', 'Way to pay'],
];

function FurtherForm({ filters }: { filters: Filters }) {
  return (
    <form class="stack" action="/listings" method="get">
      <Kept filters={filters} except={FURTHER.map(([name]) => name)} />
      {FURTHER.map(([name, label]) => (
        <ChoiceField name={name} label={label} filters={filters} />
      ))}
      <p class="actions">
        <button type="submit" class="quiet">
          Apply
        </button>
      </p>
    </form>
  );
}

/** Sends the other filters along with a form. */
export function Kept({ filters, except }: { filters: Filters; except: readonly string[] }): Child {
  return (
    <>
      {[...filters]
        .filter(([name]) => name !== 'offset' && !except.includes(name))
        .map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
    </>
  );
}

export function ChoiceField({ name, label, filters }: { name: Choice; label: string; filters: Filters }) {
  const current = choiceOf(filters, name);
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <select id={name} name={name}>
        {choicesOf(filters, name).map(([value, text]) => (
          <option value={value} selected={value === current}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

/** The name of a category or vertical; its slug where the catalogue could not be read. */
export function nameOf(list: readonly { slug: string; name: string }[], slug: string): string {
  return list.find((one) => one.slug === slug)?.name ?? slug;
}
