import type { TransferOutcome, TransferRequest } from '../kernel/ports/card-processor.ts';
import { type FakeCardBooks, refused } from './fake-card-books.ts';
import type { FakeCardLine } from './fake-card-line.ts';

interface Account {
  readonly accountId: string;
  payoutsEnabled: boolean;
  detailsSubmitted: boolean;
}

export interface FakeTransfer {
  readonly transferId: string;
  readonly purchaseId: string;
  readonly amountCents: number;
  readonly reversed: boolean;
  readonly reversedCents: number;
}

/** The fake's sellers, and what was transferred to them. */
export class FakeCardPayouts {
  readonly #accounts = new Map<string, Account>();
  readonly #transfers = new Map<string, FakeTransfer>();
  readonly #line: FakeCardLine;
  readonly #books: FakeCardBooks;

  constructor(line: FakeCardLine, books: FakeCardBooks) {
    this.#line = line;
    this.#books = books;
  }

  open(): { accountId: string } {
    const accountId = this.#line.newId('acct');
    this.#accounts.set(accountId, { accountId, payoutsEnabled: false, detailsSubmitted: false });
    return { accountId };
  }

  link(accountId: string): { url: string } {
    this.#account(accountId);
    return { url: `https://connect.test/${this.#line.newId('link')}` };
  }

  onboard(accountId: string, outcome: 'complete' | 'pending'): void {
    const account = this.#account(accountId);
    account.detailsSubmitted = true;
    account.payoutsEnabled = outcome === 'complete';
    this.#line.tell({ kind: 'account', accountId });
  }

  restrict(accountId: string): void {
    this.#account(accountId).payoutsEnabled = false;
    this.#line.tell({ kind: 'account', accountId });
  }

  see(accountId: string): Account {
    return { ...this.#account(accountId) };
  }

  get made(): FakeTransfer[] {
    return [...this.#transfers.values()];
  }

  transfer(
    { accountId, amountCents, purchaseId, sourceChargeId }: TransferRequest,
    nowMs: number,
  ): TransferOutcome {
    const account = this.#accounts.get(accountId);
    if (!account) return { kind: 'refused', code: 'resource_missing' };
    if (!account.payoutsEnabled) return { kind: 'refused', code: 'insufficient_capabilities_for_transfer' };
    const transferId = this.#books.transfer(amountCents, sourceChargeId, nowMs);
    if (transferId === null) return { kind: 'refused', code: 'balance_insufficient' };
    this.#transfers.set(transferId, {
      transferId,
      purchaseId,
      amountCents,
      reversed: false,
      reversedCents: 0,
    });
    return { kind: 'transferred', transferId };
  }

  seeTransfer(transferId: string): Pick<FakeTransfer, 'transferId' | 'amountCents' | 'reversed'> {
    const { amountCents, reversed } = this.#transfer(transferId);
    return { transferId, amountCents, reversed };
  }

  /** The platform takes back what it sent. */
  reverse(transferId: string, amountCents: number, nowMs: number): void {
    const transfer = this.#transfer(transferId);
    const reversedCents = transfer.reversedCents + amountCents;
    if (amountCents < 1 || reversedCents > transfer.amountCents)
      throw refused('reversal of more than was sent');
    const reversed = reversedCents === transfer.amountCents;
    this.#transfers.set(transferId, { ...transfer, reversed, reversedCents });
    const objectId = this.#line.newId('trr');
    const entry = { objectId, transferId, amountCents, nowMs };
    this.#books.enter({ kind: 'transfer_reversal', type: 'transfer_refund', ...entry });
  }

  #transfer(transferId: string): FakeTransfer {
    const transfer = this.#transfers.get(transferId);
    if (!transfer) throw refused(`no transfer ${transferId}`);
    return transfer;
  }

  #account(accountId: string): Account {
    const account = this.#accounts.get(accountId);
    if (!account) throw refused(`no account ${accountId}`);
    return account;
  }
}
