import type { Operations } from '@agent-marketplace/sdk';
import { count } from '../../format/figures.ts';
import { CHOICES, type Choice, choiceOf, type Filters } from './filters.ts';

export type Category = Operations['listCategories']['output']['categories'][number];
export type Vertical = Operations['listVerticals']['output']['verticals'][number];

/** The choices for categories and verticals. */
export interface Catalogue {
  readonly categories: readonly Category[];
  readonly verticals: readonly Vertical[];
}

const FURTHER: readonly (readonly [Choice, string])[] = [
  ['type', 'Copies'],
  ['min_rating', 'Buyers’ rating'],
  ['min_success', 'Measured success'],
  ['max_latency_ms', 'Measured latency'],
  ['samples', 'The platform’s reference listings'],
  ['class', 'Intent class'],
  ['rail', 'Payment rail, for depth'],
];

/** A form with every filter of the API. */
export function FilterForm({ filters, catalogue }: { filters: Filters; catalogue: Catalogue }) {
  const further = ['vertical', ...FURTHER.map(([name]) => name)];
  return (
    <search>
      <form class="filters" action="/listings" method="get">
        <div class="filters-first">
          <div class="field words">
            <label for="q">What are you looking for?</label>
            <input id="q" name="q" type="search" maxlength={200} value={filters.get('q') ?? ''} />
          </div>
          <CategoryField filters={filters} categories={catalogue.categories} />
          <ChoiceField name="price" label="Price" filters={filters} />
          <ChoiceField name="sort" label="Order" filters={filters} />
          <button type="submit">Search</button>
        </div>
        <details open={further.some((name) => filters.has(name))}>
          <summary>More filters</summary>
          <div class="filters-further">
            <VerticalField filters={filters} catalogue={catalogue} />
            {FURTHER.map(([name, label]) => (
              <ChoiceField name={name} label={label} filters={filters} />
            ))}
            <div class="field">
              <label for="limit">Listings on a page</label>
              <input
                id="limit"
                name="limit"
                type="number"
                min="1"
                max="100"
                value={filters.get('limit') ?? '20'}
              />
            </div>
          </div>
        </details>
      </form>
    </search>
  );
}

function CategoryField({ filters, categories }: { filters: Filters; categories: readonly Category[] }) {
  const current = filters.get('category');
  return (
    <div class="field">
      <label for="category">Category</label>
      <select id="category" name="category">
        <option value="">All categories</option>
        {categories.map(({ slug, name, listingCount }) => (
          <option value={slug} selected={slug === current}>
            {name} ({count(listingCount)})
          </option>
        ))}
      </select>
    </div>
  );
}

function VerticalField({ filters, catalogue }: { filters: Filters; catalogue: Catalogue }) {
  const current = filters.get('vertical');
  return (
    <div class="field">
      <label for="vertical">Vertical</label>
      <select id="vertical" name="vertical">
        <option value="">All verticals</option>
        {catalogue.categories.map((category) => {
          const members = catalogue.verticals.filter((vertical) => vertical.category === category.slug);
          if (members.length === 0) return null;
          return (
            <optgroup label={category.name}>
              {members.map(({ slug, name, listingCount }) => (
                <option value={slug} selected={slug === current}>
                  {name} ({count(listingCount)})
                </option>
              ))}
            </optgroup>
          );
        })}
      </select>
    </div>
  );
}

function ChoiceField({ name, label, filters }: { name: Choice; label: string; filters: Filters }) {
  const current = choiceOf(filters, name);
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <select id={name} name={name}>
        {CHOICES[name].map(([value, text]) => (
          <option value={value} selected={value === current}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
