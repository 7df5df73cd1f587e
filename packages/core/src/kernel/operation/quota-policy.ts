import type { QuotaPolicy } from './daily-quota.ts';
import type { AnyOperation } from './operation.ts';
import type { Operator } from './operators/operator.ts';
import { rateKeyOf } from './rate-key.ts';
import type { OperationRequest } from './request-state.ts';

/** The daily quota that an operation's writes count in. Null: it writes nothing, or an operator asks. */
export function quotaPolicyOf(
  { auth, rate, replay }: AnyOperation,
  operator: Operator | null = null,
): QuotaPolicy | null {
  if (rate === 'read' || auth === 'operator' || operator !== null) return null;
  // A query over x402 is a GET that may leave a purchase.
  return replay !== undefined || rate === 'x402' ? rate : null;
}

/** Whether the caller's quota is spent, read at most once in a request. */
export interface QuotaRead {
  begin(): void;
  isBegun(): boolean;
  isSpent(): Promise<boolean>;
}

export function quotaRead(request: OperationRequest, keyHash: string | null): QuotaRead {
  let reading: Promise<boolean> | null = null;
  const isSpent = () => {
    reading ??= readQuota(request, keyHash);
    return reading;
  };
  return {
    // Reported where it is awaited.
    begin: () => void isSpent().catch(() => {}),
    isBegun: () => reading !== null,
    isSpent,
  };
}

async function readQuota(request: OperationRequest, keyHash: string | null): Promise<boolean> {
  const { operation, runtime, call, now } = request;
  const policy = quotaPolicyOf(operation);
  if (runtime.quotas === null || policy === null) return false;
  const caller =
    keyHash === null
      ? ({ kind: 'network', network: rateKeyOf(call.clientAddress) } as const)
      : ({ kind: 'key', keyHash } as const);
  return runtime.quotas.isSpent(caller, policy, now);
}
