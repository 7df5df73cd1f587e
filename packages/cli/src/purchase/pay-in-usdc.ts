import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  createMarketplaceClient,
  type PaidAnswer,
  PaymentRefusedError,
  PaymentUnresolvedError,
  type PendingPayment,
  payAndQuery,
  resumePayment,
  WrongAnswerError,
} from '@agent-marketplace/sdk';
import { writePrivate } from '../config/config-file.ts';
import { CliFailure } from '../frame/cli-failure.ts';
import type { Shell } from '../frame/shell.ts';

interface UsdcQuery {
  readonly listingId: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly maxPriceCents: number;
}

/** A payment as it is kept until its outcome is known. */
interface StoredPayment {
  readonly url: string;
  readonly payment: PendingPayment;
}

/**
 * Pays for one query in USDC. The signed payment is kept in a file from before it is sent until its outcome is known, so
 * that neither Ctrl-C nor a crash loses it.
 */
export async function payInUsdc(
  shell: Shell,
  { listingId, query, maxPriceCents }: UsdcQuery,
): Promise<PaidAnswer> {
  const account = await payingAccount(shell);
  let path: string | null = null;
  shell.onInterrupt = async () =>
    path === null
      ? new CliFailure('interrupted', 'Stopped. Nothing was signed.', { facts: { charged: false } })
      : stopped(path);
  const onSigned = async (payment: PendingPayment) => {
    path = paymentPath(shell, payment);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writePrivate(path, { url: shell.url, payment } satisfies StoredPayment);
  };
  const work = payAndQuery(shell.client, listingId, query, account, {
    maxPriceCents,
    onSigned,
    signal: shell.terminal.interrupt,
    sleep: shell.terminal.sleep,
  });
  return settle(work, () => path);
}

/** Sends a kept payment again. It is charged once, however often it is sent. */
export async function resumeUsdc(shell: Shell, path: string): Promise<PaidAnswer> {
  const { interrupt: signal, sleep } = shell.terminal;
  const { url, payment } = await readPayment(path);
  shell.onInterrupt = async () => stopped(path);
  // With the key it is a purchase of its agent; another marketplace must not see it.
  const client = url === shell.settings.url ? shell.client : createMarketplaceClient({ baseUrl: url, sleep });
  return settle(resumePayment(client, payment, { signal, sleep }), () => path);
}

async function settle(work: Promise<PaidAnswer>, path: () => string | null): Promise<PaidAnswer> {
  try {
    const answer = await work;
    await forget(path());
    return answer;
  } catch (error) {
    const file = path();
    if (error instanceof PaymentUnresolvedError && file !== null) throw unresolved(file);
    const isOver =
      (error instanceof PaymentRefusedError && error.charged === false) || error instanceof WrongAnswerError;
    if (isOver) await forget(file);
    throw error;
  }
}

async function forget(path: string | null): Promise<void> {
  if (path !== null) await rm(path, { force: true });
}

const paymentPath = (shell: Shell, { nonce }: PendingPayment) =>
  join(dirname(shell.configPath), 'payments', `${nonce}.json`);

const resumeHint = (path: string) =>
  `Do not pay anew. Send the same payment again: agent-market resume '${path}'`;

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

async function readPayment(path: string): Promise<StoredPayment> {
  try {
    const stored = JSON.parse(await readFile(path, 'utf8')) as StoredPayment;
    if (typeof stored.url === 'string' && typeof stored.payment.header.value === 'string') return stored;
  } catch {
    // As below.
  }
  throw new CliFailure('usage', `${path} is no payment that was kept.`);
}

async function payingAccount(shell: Shell) {
  let key = shell.settings.payerKey;
  if (key === null && shell.isInteractive)
    key = (await shell.askSecret('The private key that pays, 0x…')).trim();
  if (key === null) {
    throw new CliFailure('key', 'There is no key to pay in USDC with.', {
      hint: 'Set AGENT_MARKET_PAYER_KEY, or keep one: agent-market profiles payer-key <profile>',
    });
  }
  if (!/^0x[0-9a-fA-F]{64}$/.test(key))
    throw new CliFailure('usage', 'A private key is 0x and 64 hex digits.');
  const { privateKeyToAccount } = await import('./private-key-to-account.ts');
  return privateKeyToAccount(key as `0x${string}`);
}
