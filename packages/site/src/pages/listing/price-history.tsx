import type { Operations } from '@agent-marketplace/sdk';
import { Drawn } from '../../components/drawn.tsx';
import { balanceLine } from '../../format/balance-line.ts';
import { countNoun, day, price } from '../../format/figures.ts';

type History = Operations['getListingHistory']['output'];

interface PriceSince {
  /** ISO 8601. */
  readonly at: string;
  readonly cents: number;
}

/** The prices of a listing by its signed history, the first one first. */
function pricesOf({ entries }: Pick<History, 'entries'>): PriceSince[] {
  return entries
    .toSorted((a, b) => a.version - b.version)
    .flatMap(({ changes, changedAt }) => {
      const cents = changes.priceCents?.to;
      return typeof cents === 'number' ? [{ at: changedAt, cents }] : [];
    });
}

/** The price over time, once it has changed; before that there is nothing to draw. */
export function PriceHistory({ history, now }: { history: History; now: string }) {
  const prices = pricesOf(history);
  const [first, last] = [prices[0], prices.at(-1)];
  if (first === undefined || last === undefined || prices.length < 2) return null;
  return (
    <div class="price-history">
      <Drawn
        outline={balanceLine({
          sentence: sentenceOf(prices, first, last),
          what: 'Price',
          format: price,
          balances: [...prices, { ...last, at: now }],
        })}
      />
    </div>
  );
}

function sentenceOf(prices: readonly PriceSince[], first: PriceSince, last: PriceSince): string {
  const [least, most] = [
    Math.min(...prices.map(({ cents }) => cents)),
    Math.max(...prices.map(({ cents }) => cents)),
  ];
  const between =
    prices.length > 2 && least !== most ? `, never below ${price(least)} or above ${price(most)}` : '';
  return `The price changed ${prices.length === 2 ? 'once' : countNoun(prices.length - 1, 'time')}: ${price(first.cents)} on ${day(first.at)}, ${price(last.cents)} since ${day(last.at)}${between}.`;
}
