import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import type { Chain, TransferPage } from '../../kernel/ports/chain.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { epochOf, HOUR_MS, isoTime, SECOND_MS } from '../../kernel/time.ts';
import {
  type ChainReading,
  findChainReading,
  findFirstUsdc,
  findLastUsdc,
  insertChainReading,
  isAnyAccountRead,
  isReadElsewhere,
  readAgain,
  readOn,
} from './chain-transfers.store.ts';

/** In one run: the next one goes on. */
const MOST_PAGES = 20;
/** The oldest payment was sent a little before it was posted. */
const LOOK_BACK_MS = HOUR_MS;
/** A block of Base is final within half an hour. */
const BEHIND_MS = 2 * HOUR_MS;

type ReadingPorts = Pick<Ports, 'market' | 'chain' | 'clock' | 'log'>;

/** Of the account that payers' USDC goes to. */
export const chainAccount = ({ token, payTo }: Pick<Chain, 'token' | 'payTo'>) =>
  ({ chainId: token.chainId, account: payTo.toLowerCase() as Hex }) as const;

/**
 * Reads which USDC came to the platform's account and left it, in final blocks. What a node lists is believed once the
 * account's balance follows from it: a node that lags or leaves out transfers only delays what is known.
 */
export async function readChainTransfers(ports: ReadingPorts): Promise<void> {
  const { market, chain, clock, log } = ports;
  if (chain === null) return;
  try {
    const reading = (await findChainReading(market, chainAccount(chain))) ?? (await begin(ports, chain));
    if (reading === null) return;
    const read = await readPages(ports, chain, reading);
    const { checkedUntil } = read;
    if (epochOf(checkedUntil) < clock.now() - BEHIND_MS && (await isAnythingUnread(ports, chain, read)))
      log.error('chain_transfers_behind', { checkedUntil });
  } catch (error) {
    if (!isReadElsewhere(error)) throw error;
  }
}

/** A chain without payments may make no blocks: then nothing is missing, however old the last one is. */
async function isAnythingUnread(
  { market }: ReadingPorts,
  chain: Chain,
  { readUnits, checkedUntil }: ChainReading,
): Promise<boolean> {
  const [units, last] = await Promise.all([chain.balance(), findLastUsdc(market)]);
  return units !== readUnits || (last !== null && last > checkedUntil);
}

/** Where the ledger's USDC begins; at the last final block, while there is none. */
async function begin({ market, clock }: ReadingPorts, chain: Chain): Promise<ChainReading | null> {
  // An account that took the place of another one begins today: the ledger's first USDC is not in it.
  const first = (await isAnyAccountRead(market)) ? null : await findFirstUsdc(market);
  const sinceMs = first === null ? clock.now() : epochOf(first) - LOOK_BACK_MS;
  const page = await chain.listTransfers({ sinceSeconds: Math.floor(sinceMs / SECOND_MS) });
  if (page === null || page.units === null) return null;
  const { block, units } = page;
  const reading: ChainReading = {
    ...chainAccount(chain),
    readBlock: block,
    readUnits: units,
    checkedBlock: block,
    checkedUnits: units,
    checkedUntil: isoTime(page.seconds * SECOND_MS),
  };
  await market.commit([insertChainReading(reading)]);
  return reading;
}

async function readPages(ports: ReadingPorts, chain: Chain, from: ChainReading): Promise<ChainReading> {
  const { market, log } = ports;
  let reading = from;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const page = await chain.listTransfers({ afterBlock: reading.readBlock });
    if (page === null) break;
    const readUnits = reading.readUnits + netUnits(page, reading);
    if (page.units !== null && page.units !== readUnits) {
      const [expected, actual] = [String(readUnits), String(page.units)];
      log.error('chain_transfers_differ', {
        afterBlock: reading.checkedBlock,
        block: page.block,
        expected,
        actual,
      });
      await market.commit(readAgain(reading));
      break;
    }
    const read = { ...reading, readBlock: page.block, readUnits };
    const next = page.units === null ? read : checkedAt(read, page);
    await market.commit(readOn(reading, next, page.transfers));
    reading = next;
    if (page.isLast) break;
  }
  return reading;
}

const checkedAt = (read: ChainReading, { seconds }: TransferPage): ChainReading => ({
  ...read,
  checkedBlock: read.readBlock,
  checkedUnits: read.readUnits,
  checkedUntil: isoTime(seconds * SECOND_MS),
});

function netUnits({ transfers }: TransferPage, { account }: ChainReading): bigint {
  return transfers
    .filter(({ from, to }) => from !== to)
    .reduce((sum, { to, units }) => (to === account ? sum + units : sum - units), 0n);
}
