import { expect, it } from 'vitest';
import { obstacleOf } from './buy-box.tsx';
import { PayWays } from './pay-ways.tsx';

type Detail = Parameters<typeof PayWays>[0]['detail'];
type ClosedRail = Detail['closedRails'][number];

const closed = (rail: string, changes: Partial<ClosedRail> = {}): ClosedRail => ({
  opensAt: '2026-12-01T00:00:00.000Z',
  rail,
  reason: 'budget_spent',
  ...changes,
});

const detailOf = (...closedRails: readonly ClosedRail[]): Detail =>
  ({
    closedRails,
    x402Path: '/x402/listings/a',
    listing: { status: 'active', priceCents: 250, soldCount: 0, maxCopies: null, meter: null },
  }) as unknown as Detail;

/** Each way with what stands beside it, and marks of how its button is. */
const waysOf = (detail: Detail) =>
  String(PayWays({ detail, email: '' }))
    .match(/<input[^>]*type="radio".*?<\/label>/gs)
    ?.map((way) => {
      const [, title, text] = /<strong>(.*?)<\/strong> <span class="fine">(.*?)<\/span>/s.exec(way) ?? [];
      return `${title}${/ checked/.test(way) ? '*' : ''}${/ disabled/.test(way) ? '-' : ''}: ${text}`;
    });

it('the first way that is open is chosen, and a closed one says until when or why', () => {
  expect(waysOf(detailOf())?.map((way) => way.split(':')[0])).toEqual(['Card*', 'Wallet', 'USDC']);
  expect(
    waysOf(detailOf(closed('checkout'), closed('x402', { reason: 'cost_not_borne', opensAt: null }))),
  ).toEqual([
    'Card-: Closed until 2026-12-01 00:00 UTC.',
    'Wallet*: Prepaid credits of an agent, with its API key.',
    'USDC-: Not for so small an amount: it costs more than the fee.',
  ]);
  const small = closed('checkout', { reason: 'price_too_small', opensAt: null });
  expect(waysOf(detailOf(small))?.slice(0, 2)).toEqual([
    'Card-: Not for so small an amount.',
    'Wallet*: Prepaid credits of an agent, with its API key.',
  ]);
  const unavailable = closed('checkout', { reason: 'unavailable', opensAt: null });
  expect(waysOf(detailOf(unavailable))?.[0]).toBe('Card-: Closed for now.');
});

it('where none is open, there is no button, and the page says when there is one', () => {
  const later = closed('wallet', { opensAt: '2026-12-02T00:00:00.000Z' });
  expect(obstacleOf(detailOf(closed('checkout'), later, closed('x402')))).toBe(
    'No way to pay is open for it until 2026-12-01 00:00 UTC. Nothing is charged.',
  );
  const never = (rail: string) => closed(rail, { reason: 'cost_not_borne', opensAt: null });
  expect(obstacleOf(detailOf(never('checkout'), never('wallet'), never('x402')))).toBe(
    'No way to pay is open for it now. Nothing is charged.',
  );
  expect(obstacleOf(detailOf(closed('checkout')))).toBeNull();
});
