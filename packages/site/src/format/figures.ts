const whole = new Intl.NumberFormat('en-US');
const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const BPS_PER_PERCENT = 100;

export function count(value: number): string {
  return whole.format(value);
}

/** `$20.00`, and below zero with a minus as wide as a plus. */
export function money(cents: number): string {
  return dollars.format(cents / 100).replace('-', '−');
}

/** The same without cents where there are none: `$20`. For rates and limits, not for columns. */
export function roundMoney(cents: number): string {
  return money(cents).replace(/\.00$/, '');
}

/** A price: nothing to pay is said in words. */
export function price(cents: number): string {
  return cents === 0 ? 'Free' : money(cents);
}

/** Basis points as `5%`, `0.5%`. */
export function percent(bps: number): string {
  return `${bps / BPS_PER_PERCENT}%`;
}

/** `1 listing`, `2 listings`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** An instant as `2026-11-21 03:57 UTC`; the same for every reader. What is no time is shown as it is. */
export function instant(iso: string): string {
  const match = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})/.exec(iso);
  return match ? `${match[1]} ${match[2]} UTC` : iso;
}

export function day(iso: string): string {
  return /^\d{4}-\d{2}-\d{2}/.exec(iso)?.[0] ?? iso;
}

/** Enough of a digest or key to tell it from another one. */
export function shortDigest(digest: string): string {
  return digest.length <= 23 ? digest : `${digest.slice(0, 15)}…${digest.slice(-6)}`;
}
