import { countNoun } from '../format/figures.ts';

const MAX_STARS = 5;

/** A rating as stars, with the same in words for screen readers. */
export function Stars({ value, count }: { value: number; count?: number }) {
  if (count === 0) return <span class="soft">Not rated yet</span>;
  const full = Math.round(Math.min(MAX_STARS, Math.max(0, value)));
  const words = `${value.toFixed(1)} of ${MAX_STARS} stars`;
  return (
    <span class="nowrap">
      <span class="stars" aria-hidden="true">
        {'★'.repeat(full)}
        <span class="off">{'★'.repeat(MAX_STARS - full)}</span>
      </span>{' '}
      <span class="visually-hidden">{words}</span>
      {count !== undefined && <span class="soft">{countNoun(count, 'rating')}</span>}
    </span>
  );
}
