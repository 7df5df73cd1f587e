import { writeFile } from 'node:fs/promises';
import { keySetOf, type MarketplaceClient, verifyPurchaseReceipt } from '@agent-marketplace/sdk';
import { CliFailure } from '../frame/cli-failure.ts';
import type { Shell } from '../frame/shell.ts';
import { amount, money } from '../output/money.ts';
import { printableJson } from '../output/plain-text.ts';

/** What every answer about one purchase has. */
export interface AnsweredPurchase {
  readonly id: string;
  readonly status: string;
  readonly amountCents: number;
  readonly content: unknown;
  readonly contentStatus: string;
  readonly failureCode: string | null;
  readonly receipt: object | null;
  readonly rail: string;
  readonly holdUntil: string | null;
  readonly collectUntil: string | null;
}

interface ReportOptions {
  /** Where the whole answer is written, for `verify`. */
  readonly output?: string | undefined;
}

/**
 * Prints what was bought: the content on stdout, how the purchase stands on stderr; with `--json` the whole answer, as it
 * was signed.
 *
 * @throws CliFailure if its receipt is not valid, or the purchase ended without a sale.
 */
export async function reportPurchase(
  shell: Shell,
  client: Pick<MarketplaceClient, 'getSigningKey'>,
  purchase: AnsweredPurchase,
  { output }: ReportOptions = {},
): Promise<void> {
  if (output !== undefined) await writeAnswer(output, purchase);
  if (['failed', 'expired', 'refunded'].includes(purchase.status)) {
    throw new CliFailure('not_bought', `The purchase ${purchase.id} ended as ${purchase.status}.`, {
      hint: `Nothing stays charged.${purchase.failureCode === null ? '' : ` Reason: ${purchase.failureCode}`}`,
      facts: { code: purchase.failureCode ?? purchase.status, charged: false, purchase },
    });
  }
  const signedAt = await requireValidReceipt(client, purchase);
  shell.print(purchase, printableJson(purchase.content, 2));
  const { id, amountCents, rail, holdUntil } = purchase;
  const price = amountCents === 0 ? money(0) : `${amount(amountCents)} by ${rail}`;
  shell.note(`Purchase ${id}: ${price}. Its receipt is valid${signedAt}.`);
  if (holdUntil !== null)
    shell.note(
      `In escrow until ${holdUntil}: open a dispute before with agent-market purchases dispute ${id}.`,
    );
  if (output !== undefined) shell.note(`The whole answer is in ${output}.`);
}

async function requireValidReceipt(
  client: Pick<MarketplaceClient, 'getSigningKey'>,
  purchase: AnsweredPurchase,
): Promise<string> {
  const checked = await verifyPurchaseReceipt(purchase, keySetOf(await client.getSigningKey()));
  if (checked.valid) return `, signed ${checked.signedAt}`;
  throw new CliFailure(
    'invalid',
    `The receipt of the purchase ${purchase.id} is not valid: ${checked.reason}.`,
    {
      hint: 'Keep the answer as evidence: repeat with --output, or with --json.',
      facts: { code: checked.reason, purchase },
    },
  );
}

async function writeAnswer(path: string, purchase: object): Promise<void> {
  try {
    await writeFile(path, `${printableJson(purchase)}\n`, { mode: 0o600 });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new CliFailure('fault', `The purchase was made, and ${path} cannot be written (${code}).`, {
      facts: { purchase },
    });
  }
}
