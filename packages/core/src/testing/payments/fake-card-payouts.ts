import type {
  ReversalOutcome,
  ReversalRequest,
  TransferOutcome,
  TransferRequest,
} from '../../kernel/ports/card-processor.ts';
import { accountCurrency, convertCents, PER_DOLLAR } from './account-currency.ts';
import { type FakeCardBooks, refused } from './fake-card-books.ts';
import type { FakeCardLine } from './fake-card-line.ts';

interface Account {
  readonly accountId: string;
  readonly country: string;
  payoutsEnabled: boolean;
  detailsSubmitted: boolean;
  isClosed: boolean;
  /**
   * What its seller's bank has not got yet, in cents of its own currency: the processor sends it there every day, unless it
   * is told not to.
   */
  balanceCents: number;
  keepsBalance: boolean;
}

export interface FakeTransfer {
  readonly key: string;
  readonly transferId: string;
  readonly purchaseId: string;
  readonly accountId: string;
  readonly amountCents: number;
  readonly reversed: boolean;
  readonly reversedCents: number;
  /** Of that, by the API: the marketplace itself. */
  readonly takenBackCents: number;
}

/** The fake's sellers, and what was transferred to them. */
export class FakeCardPayouts {
  readonly #accounts = new Map<string, Account>();
  readonly #transfers = new Map<string, FakeTransfer>();
  /** Where one is not 1, and not what a dollar buys of others. */
  readonly #perDollar = new Map<string, number>([['usd', 1]]);
  readonly #closedCountries = new Set<string>();
  readonly #line: FakeCardLine;
  readonly #books: FakeCardBooks;

  constructor(line: FakeCardLine, books: FakeCardBooks) {
    this.#line = line;
    this.#books = books;
  }

  open(country: string): { accountId: string } {
    const accountId = this.#line.newId('acct');
    this.#accounts.set(accountId, {
      accountId,
      country,
      payoutsEnabled: false,
      detailsSubmitted: false,
      isClosed: false,
      balanceCents: 0,
      keepsBalance: false,
    });
    return { accountId };
  }

  link(accountId: string): { url: string } | null {
    if (this.#account(accountId).isClosed) return null;
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

  /** Its owner closed it, or took it from the platform. */
  close(accountId: string): void {
    const account = this.#account(accountId);
    account.isClosed = true;
    account.payoutsEnabled = false;
    account.detailsSubmitted = false;
    this.#line.tell({ kind: 'account', accountId });
  }

  /** The seller's bank refused what was sent there: it is sent nothing until the seller names another. */
  failPayout(accountId: string): void {
    this.restrict(accountId);
  }

  /** What comes to it from now on stays there, with what its owner has paid in. */
  keepBalance(accountId: string, paidInCents = 0): void {
    const account = this.#account(accountId);
    account.keepsBalance = true;
    account.balanceCents += paidInCents;
  }

  setExchangeRate(currency: string, perDollar: number): void {
    this.#perDollar.set(currency, perDollar);
  }

  /** A country that money is sent to no more, though its accounts stay as they are. */
  setCountryOpen(country: string, isOpen: boolean): void {
    if (isOpen) this.#closedCountries.delete(country);
    else this.#closedCountries.add(country);
  }

  see(accountId: string): Pick<Account, 'accountId' | 'payoutsEnabled' | 'detailsSubmitted'> {
    const { payoutsEnabled, detailsSubmitted } = this.#account(accountId);
    return { accountId, payoutsEnabled, detailsSubmitted };
  }

  get accountIds(): string[] {
    return [...this.#accounts.keys()];
  }

  get made(): FakeTransfer[] {
    return [...this.#transfers.values()];
  }

  transfer(
    key: string,
    { accountId, amountCents, purchaseId, sourceChargeId }: TransferRequest,
    nowMs: number,
  ): TransferOutcome {
    const account = this.#accounts.get(accountId);
    if (!account || account.isClosed) return { kind: 'refused', code: 'resource_missing' };
    if (!account.payoutsEnabled) return { kind: 'refused', code: 'insufficient_capabilities_for_transfer' };
    if (this.#closedCountries.has(account.country)) throw refused(`transfer to ${account.country}`);
    const transferId = this.#books.transfer(amountCents, sourceChargeId, nowMs);
    if (transferId === null) return { kind: 'refused', code: 'balance_insufficient' };
    if (account.keepsBalance) account.balanceCents += this.#convert(account, amountCents, 'in');
    this.#transfers.set(transferId, {
      key,
      transferId,
      purchaseId,
      accountId,
      amountCents,
      reversed: false,
      reversedCents: 0,
      takenBackCents: 0,
    });
    return { kind: 'transferred', transferId };
  }

  find(key: string, purchaseId: string): { transferId: string } | null {
    const found = this.made.find((one) => one.key === key && one.purchaseId === purchaseId);
    return found ? { transferId: found.transferId } : null;
  }

  seeTransfer(transferId: string): Pick<FakeTransfer, 'transferId' | 'amountCents' | 'reversed'> {
    const { amountCents, reversed } = this.#transfer(transferId);
    return { transferId, amountCents, reversed };
  }

  /** The platform takes back what it sent, by the API: out of what is on the account. */
  takeBack({ transferId, amountCents }: ReversalRequest, nowMs: number): ReversalOutcome {
    const transfer = this.#transfer(transferId);
    if (transfer.reversedCents + amountCents > transfer.amountCents)
      return { kind: 'refused', code: 'parameter_invalid_integer' };
    const account = this.#account(transfer.accountId);
    // At what a dollar costs today, and not when it was sent.
    const ownCents = this.#convert(account, amountCents, 'out');
    if (account.balanceCents < ownCents) return { kind: 'refused', code: 'balance_insufficient' };
    account.balanceCents -= ownCents;
    const takenBackCents = transfer.takenBackCents + amountCents;
    this.#transfers.set(transferId, { ...transfer, takenBackCents });
    return { kind: 'reversed', reversalId: this.reverse(transferId, amountCents, nowMs) };
  }

  /** In the dashboard: the account may owe it to the processor. Returns the reversal's id. */
  reverse(transferId: string, amountCents: number, nowMs: number): string {
    const transfer = this.#transfer(transferId);
    const reversedCents = transfer.reversedCents + amountCents;
    if (amountCents < 1 || reversedCents > transfer.amountCents)
      throw refused('reversal of more than was sent');
    const reversed = reversedCents === transfer.amountCents;
    this.#transfers.set(transferId, { ...transfer, reversed, reversedCents });
    const objectId = this.#line.newId('trr');
    const entry = { objectId, transferId, amountCents, nowMs };
    this.#line.tell({ kind: 'balance' });
    this.#books.enter({ kind: 'transfer_reversal', type: 'transfer_refund', ...entry });
    return objectId;
  }

  #convert({ country }: Account, cents: number, direction: 'in' | 'out'): number {
    return convertCents(cents, this.#perDollar.get(accountCurrency(country)) ?? PER_DOLLAR, direction);
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
