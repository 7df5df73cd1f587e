import type { MarketplaceClient } from '@agent-marketplace/sdk';

/** One error of the marketplace, as `GET /problems.json` lists it. */
export interface ProblemEntry {
  readonly code: string;
  readonly kind: string;
  /** Operations that return it; null: any of them, or none in particular. */
  readonly operations: readonly { readonly name: string; readonly route: string }[] | null;
  readonly remedy: string;
  readonly retryable: boolean;
  readonly status: number;
  readonly title: string;
}

/** Reads every error from the API, which owns the list. */
export async function listProblems(api: MarketplaceClient): Promise<readonly ProblemEntry[]> {
  const { problems } = await api.request<{ problems: readonly ProblemEntry[] }>('GET', '/problems.json');
  return problems;
}
