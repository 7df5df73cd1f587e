import * as z from 'zod';
import { UNITS_PER_CENT } from '../../kernel/ports/chain.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { DAY_MS, type EpochMs, isoTime, MINUTE_MS } from '../../kernel/time.ts';
import type { ComparedRail } from './compared-objects.store.ts';
import { readUpcoming, type UpcomingSum } from './upcoming.store.ts';

const DAYS = 7;
/** How often the balances are asked for. */
const WATCH_MINUTES = 10;

export const upcomingView = z
  .object({
    balanceCents: z
      .int()
      .nullable()
      .describe(
        'What is there: at the card processor, with what becomes available; on chain. Null: not known.',
      ),
    currency: z.literal('usd'),
    dueCents: z
      .int()
      .describe('Falls due in the next 7 days, what is late included: the four below together.'),
    escrowCents: z.int().describe('Sales whose time in escrow ends.'),
    isCovered: z.boolean().nullable().describe('Null: the balance is not known.'),
    payoutsCents: z.int().describe('Payouts that were begun.'),
    rail: z.enum(['card', 'usdc']).describe('How it is paid: sellers with a wallet in USDC.'),
    refundsCents: z.int().describe('Refunds that were asked for and are not confirmed.'),
    reservesCents: z.int().describe('Sales whose time in reserve ends.'),
    transfersLeft: z
      .int()
      .nullable()
      .describe(
        'For how many more transfers in USDC the account has gas, at twice its present price; below 1 the rail is closed. ' +
          'Null: by card, or not known.',
      ),
  })
  .meta({ id: 'MoneyDue' });

export type Upcoming = z.output<typeof upcomingView>;

/** Null: not known. */
export type RailBalances = Readonly<Record<ComparedRail, number | null>>;

type UpcomingPorts = Pick<Ports, 'market' | 'cards' | 'chain'>;

export function balancesOf(
  processor: { readonly availableCents: number; readonly pendingCents: number } | null | undefined,
  units: bigint | null | undefined,
): RailBalances {
  return {
    card: processor ? processor.availableCents + processor.pendingCents : null,
    usdc: typeof units === 'bigint' ? Number(units / UNITS_PER_CENT) : null,
  };
}

/** What falls due over each rail in the next days, against what is there. */
export async function listUpcoming(
  { market, cards, chain }: UpcomingPorts,
  balances: RailBalances,
  transfersLeft: number | null,
  now: EpochMs,
): Promise<Upcoming[]> {
  const sums = await readUpcoming(market, isoTime(now + DAYS * DAY_MS), chain?.token.chainId ?? null);
  const upcomingOf = (rail: ComparedRail): Upcoming => {
    const of = (part: UpcomingSum['of']) =>
      sums.find((one) => one.rail === rail && one.of === part)?.cents ?? 0;
    const [escrowCents, payoutsCents] = [of('escrow'), of('payouts')];
    const [refundsCents, reservesCents] = [of('refunds'), of('reserves')];
    const dueCents = escrowCents + payoutsCents + refundsCents + reservesCents;
    const balanceCents = balances[rail];
    return {
      balanceCents,
      currency: 'usd',
      dueCents,
      escrowCents,
      isCovered: balanceCents === null ? null : balanceCents >= dueCents,
      payoutsCents,
      rail,
      refundsCents,
      reservesCents,
      transfersLeft: rail === 'usdc' ? transfersLeft : null,
    };
  };
  return [...(cards ? [upcomingOf('card')] : []), ...(chain ? [upcomingOf('usdc')] : [])];
}

/** Tells the operator in time that a balance will not suffice. */
export async function watchUpcoming(ports: UpcomingPorts & Pick<Ports, 'clock' | 'log'>): Promise<void> {
  const now = ports.clock.now();
  if (Math.floor(now / MINUTE_MS) % WATCH_MINUTES !== 0) return;
  const [processor, units] = await Promise.all([ports.cards?.getBalance(), ports.chain?.balance()]);
  for (const one of await listUpcoming(ports, balancesOf(processor, units), null, now)) {
    const { rail, dueCents, balanceCents } = one;
    if (one.isCovered === false) ports.log.error('balance_too_low', { rail, dueCents, balanceCents });
  }
}
