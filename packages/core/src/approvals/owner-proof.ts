import { toBase64Url, utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import * as z from 'zod';
import type { OperationContext } from '../kernel/operation/operation.ts';
import type { Statement } from '../kernel/ports/database.ts';
import type { KeyedHash } from '../kernel/ports/keyed-hash.ts';
import { type OwnerAct, ownerActMessage } from './approval.rules.ts';
import { siteOf } from './approval-links.ts';
import { type Approval, findApprovalWays } from './approvals.store.ts';
import { isOwnerToken } from './owner-link.ts';
import { passkeyAnswer } from './passkeys/passkey.schema.ts';
import { findPasskey, recordPasskeyUse } from './passkeys/passkeys.store.ts';

/** What only the person behind the agent has: one of the two. */
export const ownerProof = {
  passkey: passkeyAnswer
    .optional()
    .describe('The PublicKeyCredential of navigator.credentials.get(), as JSON.'),
  token: z.string().max(128).optional().describe('Of the mailed link.'),
};

/** What is asked of a passkey, for each act: base64url, as the browser takes it. */
export async function challengeFor(
  { keyedHash }: { readonly keyedHash: KeyedHash },
  approval: Pick<Approval, 'id' | 'binding'>,
  act: OwnerAct,
): Promise<string> {
  return toBase64Url(utf8(await keyedHash.hex('approval', ownerActMessage(approval, act))));
}

interface Proof {
  readonly by: 'passkey' | 'mail';
  readonly statements: readonly Statement[];
}

interface Sent {
  readonly passkey?: z.output<typeof passkeyAnswer> | undefined;
  readonly token?: string | undefined;
}

/** Null: it is not the owner of the agent, or it proved to be there for another act. */
export async function proveOwner(
  ctx: Pick<OperationContext<'none'>, 'ports' | 'settings' | 'baseUrl'>,
  approval: Approval,
  act: OwnerAct,
  { passkey: response, token }: Sent,
): Promise<Proof | null> {
  const { keyedHash, market, passkeys } = ctx.ports;
  if (token !== undefined) {
    const verifiedAt = (await findApprovalWays(market, approval))?.verifiedAt ?? null;
    const link = { purpose: 'approval_mail', id: approval.id, verifiedAt } as const;
    if (await isOwnerToken(keyedHash, link, token)) return { by: 'mail', statements: [] };
  }
  if (response === undefined) return null;
  const passkey = await findPasskey(market, approval.agentId, response.id);
  if (passkey === null) return null;
  const challenge = await challengeFor(ctx.ports, approval, act);
  const counter = await passkeys.verifyAssertion(response as JsonObject, passkey, {
    challenge,
    origin: siteOf(ctx),
  });
  return counter === null ? null : { by: 'passkey', statements: [recordPasskeyUse(passkey.id, counter)] };
}
