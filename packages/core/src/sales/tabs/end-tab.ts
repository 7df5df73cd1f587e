import { canonicalDigest } from '@agent-marketplace/protocol/crypto/digest.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { type IsoTime, isoTime } from '../../kernel/time.ts';
import { noteDelivered } from '../rails/usdc/usdc-payments.store.ts';
import { requireSale, setPayment } from '../sales.store.ts';
import { isTabOver, type Tab, tallyOf } from './tab.rules.ts';
import {
  findTab,
  isTallied,
  listAnswered,
  markClosed,
  releaseUnanswered,
  sumCredit,
  tallyTab,
} from './tabs.store.ts';

type ClosePorts = Pick<Ports, 'market' | 'clock'>;

/**
 * Takes no more vouchers, and fixes what the tab is sold for once no query is out: from there the driver of sales records
 * it, and what is left goes back. Called twice, or by two at once, it changes nothing more. Throws where nobody can tell.
 */
export async function endTab({ market, clock }: ClosePorts, tabId: string): Promise<Tab> {
  const at = isoTime(clock.now());
  await market.commit([...markClosed(tabId, at), releaseUnanswered(tabId, at)]);
  // Of tabs of one payer that are closed at once, one takes the credit: each of the others counts again without it.
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const tallied = await tally(market, tabId, at);
    if (tallied !== null) return tallied;
    // Counting a tab whose sale ended again and again would make each close of it dear, and bring nothing.
    if ((await requireSale(market, tabId)).status !== 'authorized') break;
  }
  return requireTab(market, tabId);
}

/** As many tabs of one payer as are closed at the same moment, and some. */
const MOST_TRIES = 20;

/** Null: another tab took its payer's credit meanwhile, or its sale ended. */
async function tally(market: ClosePorts['market'], tabId: string, at: IsoTime): Promise<Tab | null> {
  const tab = await requireTab(market, tabId);
  if (tab.talliedAt !== null || tab.reservedMicros > 0 || tab.chargedMicros === 0) return tab;
  const contentDigest = await canonicalDigest(await listAnswered(market, tabId));
  const facts = { contentDigest, deliveredAt: at, latencyMs: null, outputSchemaDigest: null };
  const earlierMicros = await sumCredit(market, tabId);
  try {
    await market.commit([
      ...tallyTab(tab, tallyOf(tab, earlierMicros), earlierMicros, at),
      noteDelivered(tabId, facts),
      setPayment(tabId, { dueAt: at, attempts: 0 }),
    ]);
  } catch (error) {
    // By somebody else, or its sale ended; or another tab took its payer's credit. A lost reply is seen in the next look.
    if (!isTallied(error)) throw error;
    return null;
  }
  return requireTab(market, tabId);
}

/** What is closed, or over, and not tallied yet. */
export async function endIfOver(ports: ClosePorts, tab: Tab): Promise<Tab> {
  return tab.talliedAt === null && isTabOver(tab, ports.clock.now()) ? endTab(ports, tab.purchaseId) : tab;
}

async function requireTab(market: ClosePorts['market'], id: string): Promise<Tab> {
  const tab = await findTab(market, id);
  if (tab === null) throw new Error(`Purchase ${id} is no tab.`);
  return tab;
}
