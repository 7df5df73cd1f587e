import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import { sha256Hex } from '@agent-marketplace/protocol/crypto/digest.ts';
import { toHex } from '@agent-marketplace/protocol/crypto/encoding.ts';
import type { OperationContext } from '../kernel/operation/operation.ts';
import { wideNetworkOf } from '../kernel/operation/rate-key.ts';
import type { Statement } from '../kernel/ports/database.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { type IsoTime, isoTime } from '../kernel/time.ts';
import { insertAgent, insertPlatformRows, type NewAgent } from './agents.store.ts';
import { apiKeyFrom } from './api-key.rules.ts';
import { insertKey, type NewKey } from './keys/agent-keys.store.ts';

/** What an agent may say of itself. Only the display name is ever public. */
export interface Registration {
  readonly name: string;
  readonly email?: string | undefined;
  readonly displayName?: string | undefined;
  readonly callbackUrl?: string | undefined;
  readonly referralSource?: string | undefined;
  readonly referrer?: string | undefined;
  readonly utm?: Readonly<Record<string, string>> | undefined;
  readonly smokeTest?: boolean | undefined;
}

const REFERRER_MAX_LENGTH = 500;

/** A new agent and its first API key, whose text exists nowhere else. Commit the statements. */
export async function newAgent(
  ctx: Pick<OperationContext, 'ports' | 'now' | 'referer' | 'network'>,
  registration: Registration,
): Promise<{ row: NewAgent; apiKey: string; createdAt: IsoTime; statements: Statement[] }> {
  const { ports, now } = ctx;
  const id = ports.ids.uuid();
  const apiKey = apiKeyFrom(ports.ids.randomBytes(32));
  const createdAt = isoTime(now);
  const wideNetwork = wideNetworkOf(ctx.network);
  const row: NewAgent = {
    id,
    name: registration.name,
    email: registration.email ?? null,
    displayName: registration.displayName ?? null,
    callbackUrl: registration.callbackUrl ?? null,
    referralSource: registration.referralSource ?? null,
    referrer: registration.referrer ?? ctx.referer?.slice(0, REFERRER_MAX_LENGTH) ?? null,
    utm: registration.utm ?? null,
    isSmokeTest: registration.smokeTest ?? false,
    createdAt,
    registeredFrom: await ports.keyedHash.hex('registered_from', ctx.network),
    registeredFromWide: wideNetwork && (await ports.keyedHash.hex('registered_from', wideNetwork)),
    ...(await pseudonyms(ports, id)),
  };
  const key: NewKey = {
    id: ports.ids.uuid(),
    agentId: id,
    label: 'registration',
    scopes: ['all'],
    keyHash: await sha256Hex(apiKey),
    createdAt,
  };
  return { row, apiKey, createdAt, statements: [insertAgent(row), insertKey(key)] };
}

/** The names shown for an agent that has not chosen one. */
async function pseudonyms(
  { ids, keyedHash }: Pick<Ports, 'ids' | 'keyedHash'>,
  agentId: string,
): Promise<{ handle: string; sellerLabel: string; buyerLabel: string }> {
  const [seller, buyerLabel] = await Promise.all([
    keyedHash.hex('seller_label', agentId),
    buyerLabelOf({ keyedHash }, agentId),
  ]);
  return {
    handle: `agent-${toHex(ids.randomBytes(4))}`,
    sellerLabel: `seller-${seller.slice(0, 6)}`,
    buyerLabel,
  };
}

/** The statements that make the platform a seller under its own name. It has no API key. */
export async function insertPlatformSeller(
  ports: Pick<Ports, 'ids' | 'keyedHash'>,
  id: string,
  createdAt: IsoTime,
): Promise<Statement[]> {
  const names = await pseudonyms(ports, id);
  return insertPlatformRows({ id, name: BRAND.platform, displayName: BRAND.platform, createdAt, ...names });
}

/** The pseudonym under which an agent buys, equal to the one in its row. */
export async function buyerLabelOf(
  { keyedHash }: Pick<Ports, 'keyedHash'>,
  agentId: string,
): Promise<string> {
  return `buyer-${(await keyedHash.hex('buyer_label', agentId)).slice(0, 6)}`;
}

/** How others reach the agent, and how it reads what they left (clause: connect). */
export function connectOf(handle: string, baseUrl: string) {
  return {
    discovery: `${baseUrl}/agents/${handle}`,
    handle,
    inbox: `${baseUrl}/agents/me/inbox`,
    send: `${baseUrl}/agents/${handle}/messages`,
  };
}
