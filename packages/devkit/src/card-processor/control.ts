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
}

export function createControl(parts: {
  now: () => number;
  advance: (ms: number) => void;
  webhooks: Webhooks;
  faults: Faults;
}): Control {
  const { now, advance, webhooks, faults } = parts;
  return {
    now,
    advance,
    setWebhookUrl: (url) => {
      webhooks.url = url;
      webhooks.sendWaiting();
    },
    webhooks,
    fail: (fault) => faults.add(fault),
  };
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

function isFault(body: Body): body is Body & Fault {
  return FAULT_KINDS.includes(body.kind as FaultKind);
}
