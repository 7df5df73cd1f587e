import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import type { OperatorRole } from '../kernel/operation/operators/operator.ts';
import { countUp } from './counters.ts';
import { TEST_ADMIN_SECRET } from './test-bindings.ts';
import type { TestMarketplace } from './workers-harness.ts';

export interface NewOperator {
  readonly id: string;
  readonly name: string;
  readonly role: OperatorRole;
  readonly secret: string;
  /** What its requests carry. */
  readonly headers: Readonly<Record<string, string>>;
}

export const asOperator = (secret: string): Record<string, string> => ({ [BRAND.header.admin]: secret });

/** An operator, made with the secret of the deployment. */
export async function newOperator(
  market: Pick<TestMarketplace, 'request'>,
  role: OperatorRole,
  name = `Operator ${countUp('operator')}`,
): Promise<NewOperator> {
  const response = await market.request('POST', '/admin/operators', {
    body: { name, role, reason: 'A test.' },
    headers: asOperator(TEST_ADMIN_SECRET),
  });
  if (response.status !== 201) throw new Error(`No operator was made: ${await response.text()}`);
  const { id, secret } = (await response.json()) as { id: string; secret: string };
  return { id, name, role, secret, headers: asOperator(secret) };
}
