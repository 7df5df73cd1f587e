import { INTERFACE_ICONS } from '../icons/interface-icons.data.ts';
import { Icon } from './icon.tsx';

export interface SearchBoxProps {
  /** Of the field; one page may have two boxes. */
  readonly id: string;
  readonly words?: string;
  /** Filters that stay as they are when other words are searched for. */
  readonly kept?: readonly (readonly [name: string, value: string])[];
  readonly apiBaseUrl: string;
  readonly isLarge?: boolean;
}

/**
 * Searches the listings: a plain form, to which the script `search` adds suggestions, `/` to get here, and the arrow
 * keys.
 */
export function SearchBox({ id, words = '', kept = [], apiBaseUrl, isLarge = false }: SearchBoxProps) {
  return (
    <search class={isLarge ? 'find large' : 'find'}>
      <form action="/listings" method="get" data-find={apiBaseUrl}>
        <label class="visually-hidden" for={id}>
          Search listings
        </label>
        <Icon icon={INTERFACE_ICONS.search} size={isLarge ? 22 : 18} />
        <input
          id={id}
          name="q"
          type="search"
          maxlength={200}
          autocomplete="off"
          placeholder={isLarge ? 'What do you need?' : 'Search listings'}
          value={words}
        />
        {kept.map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        {isLarge ? (
          <button type="submit">Search</button>
        ) : (
          <span class="kbd" aria-hidden="true">
            /
          </span>
        )}
      </form>
    </search>
  );
}
