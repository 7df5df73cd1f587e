import { toBase64Url, utf8 } from '../../kernel/crypto/encoding.ts';
import { Refusal } from '../../kernel/errors.ts';
import type { OperationContext } from '../../kernel/operation/operation.ts';
import { epochOf, HOUR_MS, MINUTE_MS } from '../../kernel/time.ts';
import { passkeyErrors } from './passkeys.errors.ts';
import { readRegistration } from './passkeys.store.ts';

/** How long after its registration an agent's first key may enrol a passkey. */
const FIRST_HOUR_MS = HOUR_MS;
/** A challenge is good for two of these at most. */
const CHALLENGE_STEP_MS = 10 * MINUTE_MS;

export interface Enroller {
  readonly agentId: string;
  readonly by: 'key' | 'mail';
}

type EnrolmentContext = Pick<OperationContext<'optional'>, 'ports' | 'now' | 'caller'>;

/**
 * Who enrols: whoever has the mailed link, or a key without limits in the first hour after the registration. Later no key
 * can, whatever its scopes: an agent that was given one, or stole one, would approve what it buys itself. A key with a
 * budget never can, for the same reason.
 */
export async function requireEnroller(ctx: EnrolmentContext, token: string | undefined): Promise<Enroller> {
  const { ports, caller, now } = ctx;
  if (token !== undefined) {
    const agentId = await agentOfToken(ctx, token);
    if (agentId === null) throw new Refusal(passkeyErrors.enrolment_link_over);
    return { agentId, by: 'mail' };
  }
  if (caller === null || caller.policies.length > 0 || !caller.scopes.includes('all'))
    throw new Refusal(passkeyErrors.enrolment_not_allowed);
  const registeredAt = await readRegistration(ports.market, caller.agentId);
  if (registeredAt === null || epochOf(registeredAt) + FIRST_HOUR_MS <= now)
    throw new Refusal(passkeyErrors.enrolment_not_allowed);
  return { agentId: caller.agentId, by: 'key' };
}

const TOKEN = /^([0-9a-f-]{36})\.(\d{13})\.([0-9a-f]{32})$/;

async function agentOfToken(
  { ports: { keyedHash }, now }: EnrolmentContext,
  token: string,
): Promise<string | null> {
  const [, agentId, expiresAt, mac] = TOKEN.exec(token) ?? [];
  if (agentId === undefined || mac === undefined || Number(expiresAt) <= now) return null;
  return (await keyedHash.isToken('passkey_mail', `${agentId}\n${expiresAt}`, mac)) ? agentId : null;
}

/** Those that are good now, the newest first. */
export async function challengesOf({ ports, now }: EnrolmentContext, agentId: string): Promise<string[]> {
  const step = Math.floor(now / CHALLENGE_STEP_MS);
  const challenge = async (at: number) =>
    toBase64Url(utf8(await ports.keyedHash.hex('passkey_enrolment', `${agentId}\n${at}`)));
  return Promise.all([challenge(step), challenge(step - 1)]);
}
