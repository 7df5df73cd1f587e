import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  createMarketplaceClient,
  type MarketplaceClient,
  MarketplaceError,
  PaymentRefusedError,
  PaymentUnresolvedError,
  type PendingPayment,
  type PendingVoucher,
  type SignOptions,
  WrongAnswerError,
} from '@agent-marketplace/sdk';
import { writePrivate } from '../config/config-file.ts';
import { CliFailure } from '../frame/cli-failure.ts';
import type { Shell } from '../frame/shell.ts';
import { plainLine } from '../output/plain-text.ts';

/** A payment as it is kept until its outcome is known; that of a tab for as long as the tab is used. */
export interface StoredPayment {
  readonly url: string;
  readonly payment: PendingPayment;
  readonly opensTab?: true;
  /** Of a query of the tab whose outcome is unknown. */
  readonly voucher?: PendingVoucher;
  /** It is sent without the key. */
  readonly isKeyless?: boolean;
}

/**
 * Signs a payment and sends it. It is kept in a file from before it is sent until its outcome is known, so that neither
 * Ctrl-C nor a crash loses it.
 */
export async function payAndKeep<Answer>(
  shell: Shell,
  kind: Pick<StoredPayment, 'opensTab'>,
  /** What is said once it is signed, and sent. */
  pays: string,
  pay: (options: Required<Pick<SignOptions, 'onSigned' | 'signal' | 'sleep'>>) => Promise<Answer>,
): Promise<Answer> {
  let path: string | null = null;
  shell.onInterrupt = async () =>
    path === null
      ? new CliFailure('interrupted', 'Stopped. Nothing was signed.', { facts: { charged: false } })
      : stopped(path);
  const onSigned = async (payment: PendingPayment) => {
    path = join(dirname(shell.configPath), 'payments', `${payment.nonce}.json`);
    await storePayment(path, { url: shell.url, payment, ...kind });
    shell.step(pays);
  };
  const { interrupt: signal, sleep } = shell.terminal;
  return settle(pay({ onSigned, signal, sleep }), () => path);
}

/** Sends a kept payment again. It is charged once, however often it is sent. */
export async function sendKept<Answer>(
  shell: Shell,
  path: string,
  stored: StoredPayment,
  send: (client: MarketplaceClient, options: Pick<SignOptions, 'signal' | 'sleep'>) => Promise<Answer>,
): Promise<Answer> {
  const { interrupt: signal, sleep } = shell.terminal;
  shell.onInterrupt = async () => stopped(path);
  return settle(send(clientOf(shell, stored), { signal, sleep }), () => path);
}

/** With the key it is a purchase of its agent; another marketplace must not see it. */
export function clientOf(shell: Shell, { url, isKeyless = false }: StoredPayment): MarketplaceClient {
  const { sleep } = shell.terminal;
  return url === shell.settings.url && !isKeyless
    ? shell.client
    : createMarketplaceClient({ baseUrl: url, sleep });
}

export async function storePayment(path: string, stored: StoredPayment): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writePrivate(path, stored);
}

/** Null: there is none in this file. */
export async function readPayment(path: string): Promise<StoredPayment | null> {
  try {
    const stored = JSON.parse(await readFile(path, 'utf8')) as StoredPayment;
    if (typeof stored.url === 'string' && typeof stored.payment.header.value === 'string') return stored;
  } catch {
    // As below.
  }
  return null;
}

async function settle<Answer>(work: Promise<Answer>, path: () => string | null): Promise<Answer> {
  try {
    const answer = await work;
    await forgetPayment(path());
    return answer;
  } catch (error) {
    const file = path();
    // Only what says that nothing was charged ends it: anything else may be sent again, or is evidence.
    if (error instanceof PaymentRefusedError && error.charged === false) await forgetPayment(file);
    else if (file !== null) throw keptBy(error, file);
    throw error;
  }
}

export async function forgetPayment(path: string | null): Promise<void> {
  if (path !== null) await rm(path, { force: true });
}

const resumeHint = (path: string) =>
  `Do not pay anew. Send the same payment again: agent-market resume '${path}'`;

/** The failure, with where the payment is. */
function keptBy(error: unknown, path: string): unknown {
  if (error instanceof PaymentUnresolvedError) return unresolved(path);
  if (error instanceof WrongAnswerError)
    return new CliFailure('unresolved', error.message, {
      hint: `It was charged. The payment is kept in ${path}, as evidence.`,
      facts: { code: error.reason, charged: true, payment: path },
    });
  if (!(error instanceof PaymentRefusedError)) return error;
  const { cause, reason } = error;
  const why = cause instanceof MarketplaceError ? [plainLine(cause.message)] : [];
  const isOfKey = cause instanceof MarketplaceError && (cause.status === 401 || cause.status === 403);
  const command = `agent-market resume '${path}'`;
  const next = isOfKey
    ? `It may have been charged. Send it again without the key: ${command} --no-key`
    : `It may have been charged. The payment is kept: ${command}`;
  return new CliFailure('unresolved', error.message, {
    hint: [...why, next].join('\n'),
    facts: { code: reason, charged: null, payment: path },
  });
}

const unresolved = (path: string) =>
  new CliFailure('unresolved', 'The outcome of the payment is not known.', {
    hint: resumeHint(path),
    facts: { code: 'payment_unresolved', charged: null, payment: path },
  });

const stopped = (path: string) =>
  new CliFailure('interrupted', 'Stopped. The payment is signed, and may be charged.', {
    hint: resumeHint(path),
    facts: { charged: null, payment: path },
  });
