import { canonicalDigest, type Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { Statement } from '../ports/database.ts';
import { linesOf } from '../text-schema.ts';
import type { IsoTime } from '../time.ts';
import type { Operator, OperatorRole } from './operators/operator.ts';
import { requestDigest } from './request-digest.ts';

/** What an operator's operation is about, as the operation itself tells it. */
export interface AuditSubject {
  readonly subject: { readonly type: string; readonly id: string | null };
  readonly reason?: string | null | undefined;
}

export interface OperatorAction extends AuditSubject {
  readonly operator: Operator;
  readonly operation: string;
  readonly input: object;
  /** What became of the subject, or was decided of it; null: nothing was changed. */
  readonly after: object | null;
}

/** The texts of an entry, which can be erased. The first entries have no `before` and `after`. */
export interface ActionTexts {
  readonly reason: string | null;
  readonly before?: JsonObject | null;
  readonly after?: JsonObject | null;
}

/** Refuses an entry of an operator who was revoked meanwhile, or has another role by now. */
export const OPERATOR_GUARD = 'operator_role';

/** The signed, chained record of what operators did. */
export interface AuditTrail {
  /** Commits the statements together with the action's entry, or neither. */
  commit(action: OperatorAction, statements: readonly Statement[], at: IsoTime): Promise<unknown[][]>;
}

/** Why an operator did it: kept in the audit chain. */
export const reasonField = linesOf(1000).describe('Why: kept in the audit chain.');

/** The statement under the digest of an entry. Free text is in it as salted digests, so that the text can be erased. */
export type ActionStatement = {
  readonly afterDigest?: Digest | null;
  readonly at: IsoTime;
  readonly beforeDigest?: Digest | null;
  readonly operation: string;
  /** The operator's id. */
  readonly operator: string;
  readonly previousDigest: Digest | null;
  readonly reasonDigest: Digest | null;
  readonly requestDigest: Digest;
  /** The operator's, at that time; not in the first entries, which were all made with the secret of the deployment. */
  readonly role?: OperatorRole;
  readonly sequence: number;
  readonly subject: { readonly id: string | null; readonly type: string };
  readonly type: 'operator_action';
};

export async function actionStatement(
  { operator, operation, subject, input }: Omit<OperatorAction, 'reason' | 'after'>,
  { salt, texts }: { readonly salt: string; readonly texts: ActionTexts },
  place: Pick<ActionStatement, 'at' | 'previousDigest' | 'sequence'>,
): Promise<ActionStatement> {
  const hex = await requestDigest(operation, { input, salt });
  const digests = await textDigests(texts, salt);
  return {
    afterDigest: digests.after,
    at: place.at,
    beforeDigest: digests.before,
    operation,
    operator: operator.id,
    previousDigest: place.previousDigest,
    reasonDigest: digests.reason,
    requestDigest: `sha256:${hex}`,
    role: operator.role,
    sequence: place.sequence,
    subject: { id: subject.id, type: subject.type },
    type: 'operator_action',
  };
}

/** Whether the texts are those that the statement was signed over. */
export async function isOfStatement(
  { afterDigest = null, beforeDigest = null, reasonDigest }: ActionStatement,
  { salt, texts }: { readonly salt: string; readonly texts: ActionTexts },
): Promise<boolean> {
  const digests = await textDigests(texts, salt);
  return digests.after === afterDigest && digests.before === beforeDigest && digests.reason === reasonDigest;
}

/** Each text in a digest of its own with the salt: without both, nobody can tell a text from its digest by trying. */
async function textDigests({ reason, before = null, after = null }: ActionTexts, salt: string) {
  return {
    after: after === null ? null : await canonicalDigest({ after, salt }),
    before: before === null ? null : await canonicalDigest({ before, salt }),
    reason: reason === null ? null : await canonicalDigest({ reason, salt }),
  };
}
