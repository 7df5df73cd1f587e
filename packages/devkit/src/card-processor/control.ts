import type { DisputeTerms } from './endpoints/disputes.ts';
import { FAULT_KINDS, type Fault, type FaultKind, type Faults } from './faults.ts';
import { json, type Reply, type Request } from './http.ts';
import type { FlushOptions, Webhooks } from './webhooks.ts';

/** What tests and demonstrations can do to the card processor, in the process or over `/_local`. */
export interface Control {
  /** The card processor's time in milliseconds. */
  now(): number;
  /** Puts its clock forward; what time alone brings about happens at once. */
  advance(ms: number): void;
  /** Where events are sent; null keeps them until there is somewhere. */
  setWebhookUrl(url: string | null): void;
  readonly webhooks: Pick<Webhooks, 'drop' | 'flush' | 'hold' | 'release' | 'settled'>;
  /** Makes requests go wrong. */
  fail(fault: Fault): void;
  /** The holder of the card disputes what a payment intent captured. Returns the dispute's id. */
  openDispute(paymentIntent: string, terms?: DisputeTerms): string;
  /** The bank decides. */
  closeDispute(dispute: string, outcome: 'lost' | 'won'): void;
  appealDispute(dispute: string): void;
  /** How refunds begin from now on. */
  setRefundStatus(status: RefundStart): void;
  endRefund(refund: string, status: RefundEnd): void;
  /** As finance does in the dashboard; all that is left, where no amount is given. Returns the refund's id. */
  refund(paymentIntent: string, amount?: number): string;
  /** All of it, where no amount is given. */
  capture(paymentIntent: string, amount?: number): void;
  cancel(paymentIntent: string): void;
  /** An account that can be paid no more: it lost a capability or was rejected. */
  restrictAccount(account: string): void;
  /** Its owner closed it, or took it from the platform, which does not see it any more. */
  closeAccount(account: string): void;
  /** Its bank refused what the processor sent there: nothing more is sent until its owner names another. */
  failPayout(account: string): void;
  /** What comes to the account from now on is not sent to its bank every day. */
  keepBalance(account: string): void;
  /** How much of it a dollar buys from now on: what comes to accounts in it is converted, and what is taken back. */
  setExchangeRate(currency: string, perDollar: number): void;
  /** Whether anything is sent to accounts of this country, which stay as they are. */
  setCountryOpen(country: string, isOpen: boolean): void;
  reverseTransfer(transfer: string, amount: number): void;
  /** To the platform's bank, and from it. */
  payOut(amount: number): void;
  fund(amount: number): void;
  /** A charge of the processor's own, and a movement of a type that the marketplace does not know. */
  chargeFee(amount: number): void;
  adjust(amount: number): void;
}

export type RefundStart = 'pending' | 'requires_action' | 'succeeded';
export type RefundEnd = 'canceled' | 'failed' | 'succeeded';

/** What changes objects, as requests would. */
export type Changes = Omit<Control, 'advance' | 'fail' | 'now' | 'setWebhookUrl' | 'webhooks'>;

export function createControl(parts: {
  now: () => number;
  advance: (ms: number) => void;
  webhooks: Webhooks;
  faults: Faults;
  changes: Changes;
}): Control {
  const { now, advance, webhooks, faults, changes } = parts;
  return {
    now,
    advance,
    setWebhookUrl: (url) => {
      webhooks.url = url;
      webhooks.sendWaiting();
    },
    webhooks,
    fail: (fault) => faults.add(fault),
    ...changes,
  };
}

const BALANCE_CHANGES = ['payOut', 'fund', 'chargeFee', 'adjust'] as const;
const REFUND_STARTS = ['pending', 'requires_action', 'succeeded'] as const;
const REFUND_ENDS = ['canceled', 'failed', 'succeeded'] as const;

function isOneOf<T extends string>(value: unknown, known: readonly T[]): value is T {
  return known.includes(value as T);
}

type Body = Readonly<Record<string, unknown>>;

/** The same over HTTP, as JSON: what is asked for is in the path, its parameters in the body. */
export async function answerControl(control: Control, request: Request): Promise<Reply> {
  const body = readBody(request.body);
  if (!body) return json(400, { error: 'The body must be a JSON object.' });
  switch (`${request.method} ${request.path}`) {
    case 'GET /_local/clock':
      break;
    case 'POST /_local/clock':
      if (!isCount(body.advanceMs)) return json(400, { error: 'advanceMs must be a whole number.' });
      control.advance(body.advanceMs);
      break;
    case 'POST /_local/webhooks':
      if (typeof body.url === 'string') control.setWebhookUrl(body.url);
      if (body.hold === true) control.webhooks.hold();
      if (body.hold === false) control.webhooks.release();
      break;
    case 'POST /_local/webhooks/flush':
      await control.webhooks.flush(flushOptions(body));
      break;
    case 'POST /_local/webhooks/drop':
      return json(200, { dropped: control.webhooks.drop() });
    case 'POST /_local/faults':
      if (!isFault(body)) return json(400, { error: `kind must be one of ${FAULT_KINDS.join(', ')}.` });
      control.fail(body);
      break;
    case 'POST /_local/disputes':
      if (typeof body.paymentIntent === 'string')
        return json(200, { dispute: control.openDispute(body.paymentIntent, disputeTerms(body)) });
      if (typeof body.dispute !== 'string' || (body.outcome !== 'won' && body.outcome !== 'lost'))
        return json(400, { error: 'Give paymentIntent, or dispute with outcome won or lost.' });
      control.closeDispute(body.dispute, body.outcome);
      break;
    case 'POST /_local/disputes/appeal':
      control.appealDispute(String(body.dispute));
      break;
    case 'POST /_local/refunds':
      if (isOneOf(body.begin, REFUND_STARTS)) control.setRefundStatus(body.begin);
      else if (typeof body.refund === 'string' && isOneOf(body.status, REFUND_ENDS))
        control.endRefund(body.refund, body.status);
      else if (typeof body.paymentIntent === 'string')
        return json(200, {
          refund: control.refund(body.paymentIntent, isCount(body.amount) ? body.amount : undefined),
        });
      else return json(400, { error: 'Give paymentIntent, begin, or refund with a status.' });
      break;
    case 'POST /_local/payments':
      if (body.do === 'capture')
        control.capture(String(body.paymentIntent), isCount(body.amount) ? body.amount : undefined);
      else if (body.do === 'cancel') control.cancel(String(body.paymentIntent));
      else return json(400, { error: 'do must be capture or cancel.' });
      break;
    case 'POST /_local/accounts/restrict':
      control.restrictAccount(String(body.account));
      break;
    case 'POST /_local/accounts/close':
      control.closeAccount(String(body.account));
      break;
    case 'POST /_local/accounts/fail-payout':
      control.failPayout(String(body.account));
      break;
    case 'POST /_local/accounts/keep-balance':
      control.keepBalance(String(body.account));
      break;
    case 'POST /_local/exchange-rates':
      if (typeof body.perDollar !== 'number' || !(body.perDollar > 0))
        return json(400, { error: 'perDollar must be a number above 0.' });
      control.setExchangeRate(String(body.currency), body.perDollar);
      break;
    case 'POST /_local/countries':
      control.setCountryOpen(String(body.country), body.open === true);
      break;
    case 'POST /_local/transfers':
      if (!isCount(body.amount)) return json(400, { error: 'amount must be a whole number.' });
      control.reverseTransfer(String(body.transfer), body.amount);
      break;
    case 'POST /_local/balance':
      if (!isCount(body.amount) || !isOneOf(body.do, BALANCE_CHANGES))
        return json(400, {
          error: `do must be one of ${BALANCE_CHANGES.join(', ')}, amount a whole number.`,
        });
      control[body.do](body.amount);
      break;
    default:
      return json(404, { error: 'There is no such control.' });
  }
  return json(200, { now: new Date(control.now()).toISOString() });
}

function readBody(text: string): Body | null {
  try {
    const value: unknown = text === '' ? {} : JSON.parse(text);
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Body) : null;
  } catch {
    return null;
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function flushOptions({ copies, shuffle }: Body): FlushOptions {
  return {
    ...(isCount(copies) && { copies: Math.min(copies, 10) }),
    ...(isCount(shuffle) && { shuffle }),
  };
}

function disputeTerms({ amount, inquiry }: Body): DisputeTerms {
  return { ...(isCount(amount) && { amount }), inquiry: inquiry === true };
}

function isFault(body: Body): body is Body & Fault {
  return FAULT_KINDS.includes(body.kind as FaultKind);
}
