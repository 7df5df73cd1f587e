import { Icon } from '../../components/icon.tsx';
import { INTERFACE_ICONS } from '../../icons/interface-icons.data.ts';
import type { Catalogue } from './catalogue.ts';
import { nameOf } from './facets.tsx';
import { CHOICES, type Choice, chosenOf, type Filters, filterAddress } from './filters.ts';

/** The filters that are set, each as a link that takes it away. */
export function Chosen({ filters, catalogue }: { filters: Filters; catalogue: Catalogue }) {
  const chosen = chosenOf(filters);
  if (chosen.length === 0) return null;
  return (
    <ul class="chips" aria-label="Chosen filters">
      {chosen.map(([name, value]) => {
        const text = textOf(name, value, catalogue);
        return (
          <li>
            <a class="chip on" href={filterAddress(filters, { [name]: null })} aria-label={`Remove: ${text}`}>
              {text} <Icon icon={INTERFACE_ICONS.remove} size={12} />
            </a>
          </li>
        );
      })}
      <li>
        <a class="fine" href={filterAddress(new Map([...filters].filter(([name]) => name === 'q')), {})}>
          Clear all filters
        </a>
      </li>
    </ul>
  );
}

function textOf(name: string, value: string, { categories, verticals }: Catalogue): string {
  if (name === 'category') return nameOf(categories, value);
  if (name === 'vertical') return nameOf(verticals, value);
  const text = CHOICES[name as Choice].find(([one]) => one === value)?.[1] ?? value;
  return name === 'samples' && value === 'only' ? 'Free examples only' : text;
}
