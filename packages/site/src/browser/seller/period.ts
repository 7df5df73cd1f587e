import { firstDay } from '../../format/last-days.ts';
import { element } from '../parts/dom.ts';
import type { Session } from '../parts/session.ts';

const PERIODS = [14, 30, 90];

/** The days that charts show, of which today is the last. */
export interface Period {
  readonly days: number;
  readonly now: number;
  /** The first of the days. */
  readonly from: string;
}

/** The period that the address names; two weeks where it names none of those that there are. */
export function currentPeriod(now: number): Period {
  const chosen = Number(new URLSearchParams(location.search).get('days'));
  const days = PERIODS.find((one) => one === chosen) ?? 14;
  return { days, now, from: firstDay({ now, days }) };
}

/** Links to the same page with other periods. They change the charts in place, so that the reader stays where they are. */
export function periodLinks({ refresh }: Session, { days }: Period): HTMLElement {
  const links = PERIODS.map((one) => {
    const href = `/seller?days=${one}`;
    const link = element('a', { href, ...(one === days ? { 'aria-current': 'true' } : {}) }, `${one} days`);
    link.addEventListener('click', async (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      history.replaceState(null, '', href);
      await refresh();
      document.querySelector<HTMLElement>(`.tabs [href="${href}"]`)?.focus();
    });
    return link;
  });
  return element('nav', { class: 'tabs', 'aria-label': 'Period of the charts' }, ...links);
}
