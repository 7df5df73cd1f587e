import { canonicalDigest } from '@agent-marketplace/protocol/crypto/digest.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { microsText } from '@agent-marketplace/protocol/metered-units.ts';
import {
  MarketplaceError,
  type PendingVoucher,
  type PrepaidTab,
  type TabAnswer,
  TooExpensiveError,
} from '@agent-marketplace/sdk';
import { withFileLock } from '../config/file-lock.ts';
import { CliFailure } from '../frame/cli-failure.ts';
import { explainFailure } from '../frame/explain-failure.ts';
import type { Shell } from '../frame/shell.ts';
import { printableJson } from '../output/plain-text.ts';
import { explainPrice } from './explain-price.ts';
import { forgetPayment, readPayment, storePayment } from './kept-payment.ts';
import { pathOfTab } from './tab-payment.ts';

/** An answer, with the voucher that is kept until the answer is shown. */
interface AnsweredQuery {
  readonly answer: TabAnswer;
  readonly sent: PendingVoucher | null;
}

interface TabQuery {
  readonly query: JsonObject;
  readonly maxPriceMicros: number;
}

/**
 * Asks one query of a tab. Its voucher is kept in the tab's file from before it is sent until its outcome is known, so that
 * neither Ctrl-C nor a crash has the same query charged twice.
 */
export async function askAndKeep(
  shell: Shell,
  tab: PrepaidTab,
  { query, maxPriceMicros }: TabQuery,
): Promise<AnsweredQuery> {
  let kept: PendingVoucher | null = null;
  shell.onInterrupt = async () =>
    kept === null
      ? new CliFailure('interrupted', 'Stopped. The query was not sent.', { facts: { charged: false } })
      : mayBeCharged('Stopped', kept, { exit: 'interrupted' });
  const onSigned = async (voucher: PendingVoucher) => {
    await keepVoucher(shell, voucher);
    kept = voucher;
    shell.terminal.interrupt.throwIfAborted();
  };
  try {
    const answer = await tab.query(query, { maxPriceMicros, onSigned });
    return { answer, sent: kept };
  } catch (error) {
    throw kept === null ? error : await afterFailure(shell, tab, kept, error);
  }
}

/** Sends a kept voucher again. It is charged once, however often it is sent. */
export async function askAgain(
  shell: Shell,
  tab: PrepaidTab,
  voucher: PendingVoucher,
): Promise<AnsweredQuery> {
  shell.onInterrupt = async () => mayBeCharged('Stopped', voucher, { exit: 'interrupted' });
  try {
    return { answer: await tab.resumeQuery(voucher), sent: voucher };
  } catch (error) {
    throw await afterFailure(shell, tab, voucher, error);
  }
}

/** @throws CliFailure if the kept voucher is for another query, or may cost more than is allowed now. */
export async function requireSameQuery(
  voucher: PendingVoucher,
  query: JsonObject,
  mostMicros: number | undefined,
): Promise<void> {
  const { tabId, maxPriceMicros } = voucher;
  if ((await canonicalDigest(voucher.query)) !== (await canonicalDigest(query))) throw isOpen(voucher);
  if (mostMicros !== undefined && mostMicros < maxPriceMicros)
    throw new CliFailure(
      'unresolved',
      `This query was sent before for ${microsText(maxPriceMicros)} at most, and you allow ${microsText(mostMicros)}.`,
      {
        hint: `Nothing was sent now; it may have been charged then. Its answer: the same command with --max-price-micros ${maxPriceMicros}`,
        facts: { code: 'tab_query_open', charged: null, tabId, maxPriceMicros },
      },
    );
}

/** Ends a kept voucher; the file stays while the tab is open. */
export async function forgetVoucher(
  shell: Shell,
  { tabId, signature }: PendingVoucher,
  isTabClosed = false,
): Promise<void> {
  const path = pathOfTab(shell, tabId);
  await withFileLock(path, async () => {
    const stored = await readPayment(path);
    // Another command may have sent a later one.
    if (stored?.voucher?.signature !== signature) return;
    const { voucher: _, ...tab } = stored;
    await (isTabClosed ? forgetPayment(path) : storePayment(path, tab));
  });
}

async function keepVoucher(shell: Shell, voucher: PendingVoucher): Promise<void> {
  const path = pathOfTab(shell, voucher.tabId);
  await withFileLock(path, async () => {
    const stored = await readPayment(path);
    if (stored === null)
      throw new CliFailure('config', `${path} is gone: another command closed the tab.`, {
        facts: { charged: false },
      });
    // Another command asks at this moment: a later voucher would end its own.
    if (stored.voucher !== undefined) throw isOpen(stored.voucher);
    await storePayment(path, { ...stored, voucher });
  });
}

/** The failure to tell of a voucher that was sent. It goes only where the marketplace says that it charged nothing. */
async function afterFailure(
  shell: Shell,
  tab: PrepaidTab,
  voucher: PendingVoucher,
  error: unknown,
): Promise<unknown> {
  if (tab.unresolvedVoucher !== null) return unresolved(voucher, error);
  const isNotCharged =
    error instanceof TooExpensiveError || (error instanceof MarketplaceError && error.charged === false);
  if (isNotCharged) {
    await forgetVoucher(shell, voucher);
    return explainPrice(error, voucher.maxPriceMicros);
  }
  const failure = explainFailure(error);
  if (failure === null) return error;
  const { message, facts } = failure;
  return new CliFailure('unresolved', message, {
    hint: `${facts.charged === true ? 'It was charged' : 'It may have been charged'}. The same command asks for its answer again; to ask anew, and pay anew: ${abandon(voucher)}`,
    facts: { ...facts, tabId: voucher.tabId },
  });
}

function unresolved(voucher: PendingVoucher, error: unknown): CliFailure {
  const failure = explainFailure(error);
  if (failure?.exit === 'untrusted')
    return mayBeCharged(failure.message.replace(/\.$/, ''), voucher, {
      exit: 'untrusted',
      facts: failure.facts,
    });
  // A refusal with a code of the marketplace says why there is no answer yet.
  const isAnswered = error instanceof MarketplaceError && typeof error.problem.code === 'string';
  const why = isAnswered && failure !== null ? failure.message.replace(/\.$/, '') : 'The answer was lost';
  return mayBeCharged(why, voucher, { facts: failure?.facts ?? {} });
}

const isOpen = (voucher: PendingVoucher) =>
  new CliFailure('refused', 'A query of this tab is open: its answer did not arrive yet.', {
    hint: `It may be charged, ${microsText(voucher.maxPriceMicros)} at most; this one was not sent. For its answer: ${askSame(voucher)}\nTo give it up: ${abandon(voucher)}`,
    facts: { code: 'tab_query_open', charged: false, tabId: voucher.tabId, openQuery: voucher.query },
  });

function mayBeCharged(
  why: string,
  voucher: PendingVoucher,
  { exit = 'unresolved', facts = {} }: { exit?: CliFailure['exit']; facts?: CliFailure['facts'] },
): CliFailure {
  const { tabId, maxPriceMicros, query } = voucher;
  const charged = facts.charged === true ? true : null;
  return new CliFailure(
    exit,
    `${why}; the query ${charged ? 'was' : 'may have been'} charged, ${microsText(maxPriceMicros)} at most.`,
    {
      hint: `Run the same command again: it asks with the same voucher, and is charged once. ${askSame(voucher)}`,
      facts: { ...facts, charged, tabId, openQuery: query },
    },
  );
}

export const howToAsk = (voucher: PendingVoucher): string =>
  `The answer of a query may still be asked for: ${askSame(voucher)}`;

const askSame = ({ tabId, query }: PendingVoucher) =>
  `agent-market tab ask ${tabId} --query '${printableJson(query).replaceAll("'", "'\\''")}'`;

const abandon = ({ tabId }: PendingVoucher) => `add --abandon to the next agent-market tab ask ${tabId}`;
