import { day, instant } from '../format/figures.ts';

export function Instant({ iso }: { iso: string }) {
  return (
    <time class="nowrap" datetime={iso}>
      {instant(iso)}
    </time>
  );
}

export function Day({ iso }: { iso: string }) {
  return (
    <time class="nowrap" datetime={iso}>
      {day(iso)}
    </time>
  );
}
