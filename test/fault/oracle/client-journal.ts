/** What the clients of a marketplace keep: their keys, what they bought, and the answers that they were shown. */
export class ClientJournal {
  /** Keys of agents, by the agent's id. */
  readonly keys = new Map<string, string>();
  /** Who opened a top-up, by its id: an API key. */
  readonly topUps = new Map<string, string>();
  /** Who was told of a purchase, by its id: an API key. */
  readonly buyers = new Map<string, string>();
  /** What a purchase was said to cost when its content was shown. */
  readonly shown = new Map<string, number>();
  /** Wallets that sellers proved to be theirs, by the seller's id. */
  readonly wallets = new Map<string, Set<string>>();
  /** What was settled on chain for a purchase, and by whom. */
  readonly payments = new Map<string, { readonly payer: string; readonly units: bigint }>();
  /** Keys and purchases that were heard of since they were last taken. */
  #activeKeys = new Set<string>();
  #heardOf = new Set<string>();

  note(apiKey: string | null, path: string, status: number, body: unknown): void {
    if (apiKey !== null) this.#activeKeys.add(apiKey);
    if (status >= 400 || !isObject(body)) return;
    if (typeof body.apiKey === 'string' && typeof body.id === 'string') this.keys.set(body.id, body.apiKey);
    if (typeof body.topUpId === 'string' && apiKey !== null) this.topUps.set(body.topUpId, apiKey);
    if (path === '/sell/payout-wallet') this.#noteWallet(apiKey, body);
    if (path.includes('purchase') || path.includes('query')) this.#notePurchases(apiKey, body);
  }

  #noteWallet(apiKey: string | null, { address }: Record<string, unknown>): void {
    const [sellerId] = [...this.keys].find(([, key]) => key === apiKey) ?? [];
    if (sellerId === undefined || typeof address !== 'string') return;
    const known = this.wallets.get(sellerId) ?? new Set();
    this.wallets.set(sellerId, known.add(address.toLowerCase()));
  }

  take(): { readonly keys: ReadonlySet<string>; readonly purchases: ReadonlySet<string> } {
    const taken = { keys: this.#activeKeys, purchases: this.#heardOf };
    this.#activeKeys = new Set();
    this.#heardOf = new Set();
    return taken;
  }

  #notePurchases(apiKey: string | null, body: Record<string, unknown>): void {
    if (typeof body.id === 'string' && typeof body.amountCents === 'number' && 'contentStatus' in body) {
      if (apiKey !== null) this.buyers.set(body.id, apiKey);
      this.#heardOf.add(body.id);
      if (isObject(body.payment))
        this.payments.set(body.id, {
          payer: String(body.payment.payer).toLowerCase(),
          units: BigInt(String(body.payment.amountUnits)),
        });
      if (isObject(body.content)) this.shown.set(body.id, body.amountCents);
      return;
    }
    for (const member of Object.values(body).flat())
      if (isObject(member)) this.#notePurchases(apiKey, member);
  }
}

type Ask = (
  method: string,
  path: string,
  options?: { readonly apiKey?: string; readonly headers?: Record<string, string> },
) => Promise<Response>;

/** From now on every answer of this marketplace is read over its client's shoulder. */
export function keepJournal(market: { request: Ask }): ClientJournal {
  const journal = new ClientJournal();
  const { request } = market;
  market.request = async (method, path, options) => {
    const response = await request(method, path, options);
    const text = await response.clone().text();
    journal.note(options?.apiKey ?? null, path, response.status, parsed(text));
    return response;
  };
  return journal;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
