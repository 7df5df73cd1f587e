import { microsText } from '@agent-marketplace/protocol/metered-units.ts';

const whole = new Intl.NumberFormat('en-US');
const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const BPS_PER_PERCENT = 100;

export function count(value: number): string {
  return whole.format(value);
}

/** `$20.00`; negative amounts have a real minus sign. */
export function money(cents: number): string {
  return dollars.format(cents / 100).replace('-', '−');
}

/** `$20` instead of `$20.00`, for rates and limits. */
export function roundMoney(cents: number): string {
  return money(cents).replace(/\.00$/, '');
}

/** A price, where zero reads `Free`. */
export function price(cents: number): string {
  return cents === 0 ? 'Free' : money(cents);
}

/** The price of a listing, the most that a query costs: to the micro-unit of USDC, where it is no whole number of cents. */
export function listingPrice(listing: {
  readonly priceCents: number;
  readonly priceMicros?: number | null | undefined;
  readonly meter?: object | null | undefined;
}): string {
  const { priceCents, priceMicros = null, meter = null } = listing;
  const most = priceMicros === null ? price(priceCents) : microsText(priceMicros);
  return meter === null ? most : `up to ${most}`;
}

/** Basis points as `5%`, `0.5%`. */
export function percent(bps: number): string {
  return `${bps / BPS_PER_PERCENT}%`;
}

/** `1 listing`, `2 listings`. */
export function countNoun(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** An instant as `2026-11-21 03:57 UTC`, equal for every reader. Other text stays as it is. */
export function instant(iso: string): string {
  const match = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})/.exec(iso);
  return match ? `${match[1]} ${match[2]} UTC` : iso;
}

/** `in 6 days and 23 hours`, `in 59 minutes`; what is over is `any moment now`. */
export function timeLeft(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  if (minutes <= 0) return 'any moment now';
  const parts = [
    [Math.floor(minutes / 1440), 'day'],
    [Math.floor((minutes % 1440) / 60), 'hour'],
    [minutes % 60, 'minute'],
  ] as const;
  const first = parts.findIndex(([value]) => value > 0);
  const shown = parts.slice(first, first + 2).filter(([value]) => value > 0);
  return `in ${shown.map(([value, noun]) => countNoun(value, noun)).join(' and ')}`;
}

/** When to try again: `in 40 seconds`, `in 3 hours and 10 minutes`; `in a minute` where nobody says. */
export function waitText(waitSeconds: number | null): string {
  if (waitSeconds === null || waitSeconds < 2) return 'in a minute';
  return waitSeconds < 90 ? `in ${waitSeconds} seconds` : timeLeft(waitSeconds * 1000);
}

export function day(iso: string): string {
  return /^\d{4}-\d{2}-\d{2}/.exec(iso)?.[0] ?? iso;
}

/** A digest or key, shortened to what tells it apart. */
export function shortDigest(digest: string): string {
  return digest.length <= 23 ? digest : `${digest.slice(0, 15)}…${digest.slice(-6)}`;
}

/** `0.4 s`, `2.5 s`, `31 s`: as exact as a reader needs. */
export function seconds(ms: number): string {
  return ms < 10_000 ? `${Math.max(0.1, ms / 1000).toFixed(1)} s` : `${count(Math.round(ms / 1000))} s`;
}

/** A share as whole percent, never rounded up to a hundred. */
export function wholePercent(share: number): string {
  return `${Math.floor(share * 100 + 1e-9)}%`;
}
