import { toBase64Url, utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { linkTokenFrom, parseLinkToken } from '../../agents/index.ts';
import { Refusal } from '../../kernel/errors.ts';
import type { OperationContext } from '../../kernel/operation/operation.ts';
import type { KeyedHash } from '../../kernel/ports/keyed-hash.ts';
import { epochOf, HOUR_MS, type IsoTime, isoTime } from '../../kernel/time.ts';
import { isOwnerToken, ownerToken } from '../owner-link.ts';
import { findMailedEnrolment } from './enrolments.store.ts';
import { passkeyErrors } from './passkeys.errors.ts';
import { readEnrolmentState } from './passkeys.store.ts';

/** How long after its registration a key may enrol an agent's first passkey. */
const FIRST_HOUR_MS = HOUR_MS;

export interface Enroller {
  readonly agentId: string;
  readonly by: 'key' | 'mail';
  /** The enrolment that the mailed link opens; null: a key asks for one. */
  readonly enrolmentId: string | null;
}

type EnrolmentContext = Pick<OperationContext<'optional'>, 'ports' | 'now' | 'caller'>;

/**
 * Who enrols: whoever has the mailed link, or, for the first passkey, a key without limits in the first hour after the
 * registration. Later no key can, whatever its scopes: an agent that was given one, or stole one, would approve what it
 * buys itself. A key with a budget never can, for the same reason.
 */
export async function requireEnroller(ctx: EnrolmentContext, token: string | undefined): Promise<Enroller> {
  const { ports, caller, now } = ctx;
  if (token !== undefined) {
    const enrolment = await openEnrolmentLink(ctx, token);
    if (enrolment === null) throw new Refusal(passkeyErrors.enrolment_link_over);
    return { agentId: enrolment.agentId, by: 'mail', enrolmentId: enrolment.id };
  }
  if (caller === null || caller.policies.length > 0 || !caller.scopes.includes('all'))
    throw new Refusal(passkeyErrors.enrolment_not_allowed);
  const state = await readEnrolmentState(ports.market, caller.agentId);
  if (state === null || state.hasPasskey || epochOf(state.registeredAt) + FIRST_HOUR_MS <= now)
    throw new Refusal(passkeyErrors.enrolment_not_allowed);
  return { agentId: caller.agentId, by: 'key', enrolmentId: null };
}

async function openEnrolmentLink({ ports, now }: EnrolmentContext, token: string) {
  const sent = parseLinkToken(token);
  const enrolment = sent && (await findMailedEnrolment(ports.market, sent.id, isoTime(now)));
  if (!sent || !enrolment) return null;
  const link = { purpose: 'passkey_mail', id: enrolment.id, verifiedAt: enrolment.verifiedAt } as const;
  return (await isOwnerToken(ports.keyedHash, link, sent.mac)) ? enrolment : null;
}

/** The token of the link that opens an enrolment. */
export async function enrolmentToken(keyedHash: KeyedHash, id: string, verifiedAt: IsoTime): Promise<string> {
  return linkTokenFrom({ id, mac: await ownerToken(keyedHash, { purpose: 'passkey_mail', id, verifiedAt }) });
}

/** What the browser signs to enrol a passkey, base64url. It is good for that enrolment alone. */
export async function enrolmentChallenge(keyedHash: KeyedHash, enrolmentId: string): Promise<string> {
  return toBase64Url(utf8(await keyedHash.hex('passkey_enrolment', enrolmentId)));
}
