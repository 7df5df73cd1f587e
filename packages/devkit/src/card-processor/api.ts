import { createHash, timingSafeEqual } from 'node:crypto';
import { accountEndpoints } from './endpoints/accounts.ts';
import { balanceEndpoints } from './endpoints/balance.ts';
import { checkoutEndpoints } from './endpoints/checkout-sessions.ts';
import { customerEndpoints } from './endpoints/customers.ts';
import { disputeEndpoints } from './endpoints/disputes.ts';
import type { Endpoint } from './endpoints/endpoint.ts';
import { eventEndpoints } from './endpoints/events.ts';
import { paymentIntentEndpoints } from './endpoints/payment-intents.ts';
import { refundEndpoints } from './endpoints/refunds.ts';
import { transferEndpoints } from './endpoints/transfers.ts';
import { type FaultKind, keyInUse, rateLimited, serverError } from './faults.ts';
import { canonicalForm, type FormHash, parseForm } from './form.ts';
import type { Reply, Request } from './http.ts';
import { badParam, Problem } from './problem.ts';
import { API_VERSION, expanded, type World } from './world.ts';

const ENDPOINTS: readonly Endpoint[] = [
  ...accountEndpoints,
  ...checkoutEndpoints,
  ...customerEndpoints,
  ...disputeEndpoints,
  ...paymentIntentEndpoints,
  ...refundEndpoints,
  ...transferEndpoints,
  ...balanceEndpoints,
  ...eventEndpoints,
];
const ROUTES = ENDPOINTS.map((endpoint) => ({
  endpoint,
  pattern: new RegExp(`^${endpoint.path.replace(':id', '([^/]+)')}$`),
}));

/** Answers a request to the API as Stripe does, with the same answer again for the same key. */
export function answerApi(
  world: World,
  request: Request,
  call: { requestId: string; secretKey: string; fault: FaultKind | null },
): Reply {
  const key = request.method === 'POST' ? request.headers['idempotency-key'] : undefined;
  const common = {
    'content-type': 'application/json',
    'request-id': call.requestId,
    'stripe-version': API_VERSION,
    ...(key && { 'idempotency-key': key, 'original-request': call.requestId }),
  };
  const reply = (status: number, body: string): Reply => ({ status, headers: common, body });
  const storeReply = (form: FormHash | null, status: number, body: string): Reply => {
    if (key && form) {
      const { requestId } = call;
      const kept = { request: fingerprint(request, form), requestId, status, body, keptAt: world.now() };
      world.state.idempotency[key] = kept;
    }
    return reply(status, body);
  };

  let form: FormHash | null = null;
  try {
    authenticate(request, call.secretKey);
    checkVersion(request);
    form = parseForm(request.method === 'GET' ? request.query : request.body);
    const kept = key ? findReply(world, request, form, key) : null;
    if (kept) {
      const headers = { ...common, 'idempotent-replayed': 'true', 'original-request': kept.requestId };
      return { status: kept.status, headers, body: kept.body };
    }
    if (call.fault === 'rate_limit') throw rateLimited();
    if (call.fault === 'conflict') throw keyInUse(key ?? '');
    if (call.fault === 'server_error') throw serverError();
    const result = work(world, request, form);
    if (call.fault === 'late_server_error') throw serverError();
    return storeReply(form, 200, JSON.stringify(result, null, 2));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const body = JSON.stringify(error.body(), null, 2);
    return error.keepsKey ? storeReply(form, error.status, body) : reply(error.status, body);
  }
}

function work(world: World, { method, path }: Request, form: FormHash): object {
  for (const { endpoint, pattern } of ROUTES) {
    const match = endpoint.method === method ? pattern.exec(path) : null;
    if (!match) continue;
    const handle = endpoint.prepare(form);
    return expand(world, handle(world, decodeURIComponent(match[1] ?? '')), form);
  }
  const message = `Unrecognized request URL (${method}: ${path}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`;
  throw new Problem(404, message, {}, false);
}

function expand(world: World, object: object, form: FormHash): object {
  const requested = form.get('expand');
  const fields = requested && typeof requested !== 'string' ? [...requested.values()] : [];
  return fields.reduce((whole: object, field) => {
    const name = String(field);
    const deeper = expanded(world.state, whole, name.split('.'));
    if (!deeper) throw badParam(`This property cannot be expanded (${name}).`, 'expand');
    return deeper;
  }, object);
}

function findReply(world: World, request: Request, form: FormHash, key: string) {
  if (key.length > 255)
    throw badParam('Idempotency keys can be at most 255 characters long.', 'Idempotency-Key');
  const kept = Object.hasOwn(world.state.idempotency, key) ? world.state.idempotency[key] : undefined;
  if (!kept) return null;
  if (kept.request === fingerprint(request, form)) return kept;
  throw new Problem(
    400,
    `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    { type: 'idempotency_error' },
    false,
  );
}

function fingerprint({ method, path }: Request, form: FormHash): string {
  return createHash('sha256')
    .update(`${method} ${path} ${canonicalForm(form)}`)
    .digest('hex');
}

function checkVersion({ headers }: Request): void {
  const version = headers['stripe-version'] ?? API_VERSION;
  if (version !== API_VERSION) {
    const message = `Invalid Stripe API version: ${version}. This local card processor speaks ${API_VERSION}.`;
    throw new Problem(400, message, {}, false);
  }
}

export function authenticate({ headers }: Request, secretKey: string): void {
  const [scheme = '', credentials = ''] = (headers.authorization ?? '').split(' ');
  if (!credentials) {
    const message =
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').";
    throw new Problem(401, message, {}, false);
  }
  const isBasic = scheme.toLowerCase() === 'basic';
  const key = isBasic ? Buffer.from(credentials, 'base64').toString().split(':')[0] : credentials;
  const [actual, expected] = [key ?? '', secretKey].map((text) => createHash('sha256').update(text).digest());
  if (actual && expected && timingSafeEqual(actual, expected)) return;
  throw new Problem(401, `Invalid API Key provided: ****${(key ?? '').slice(-4)}`, {}, false);
}
