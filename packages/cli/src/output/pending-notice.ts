interface Pending {
  readonly notice?: string | null | undefined;
  readonly claimUrl?: string | null | undefined;
}

/** What a pending listing waits for, with the page itself where the API names its own member; empty: nothing. */
export const pendingNotice = ({ notice, claimUrl }: Pending): string =>
  (notice ?? '').replace(/claimUrl\.?/, (name) => claimUrl ?? name);
