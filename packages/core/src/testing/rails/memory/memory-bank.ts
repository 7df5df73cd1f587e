type Fault = 'lose_request' | 'lose_reply' | undefined;

interface Deposit {
  readonly amountCents: number;
  status: 'reserved' | 'captured' | 'released';
  refundedCents: number;
}

/** The call was lost on its way, or its answer: nobody knows whether it took effect. */
export class MemoryBankError extends Error {}

/** Money outside the marketplace that a test can look at: one deposit for each sale, however often it is asked. */
class MemoryBank {
  /** Called before each request; lets the test break it. */
  fault: (method: string) => Fault | Promise<Fault> = () => undefined;
  readonly #deposits = new Map<string, Deposit>();

  /** Test files share a process, and their sales have the same ids. */
  reset(): void {
    this.#deposits.clear();
  }

  reserve(saleId: string, amountCents: number): Promise<void> {
    return this.#call('reserve', () => {
      if (!this.#deposits.has(saleId))
        this.#deposits.set(saleId, { amountCents, status: 'reserved', refundedCents: 0 });
    });
  }

  capture(saleId: string): Promise<'captured' | 'gone'> {
    return this.#call('capture', () => {
      const deposit = this.#deposits.get(saleId);
      if (deposit?.status === 'reserved') deposit.status = 'captured';
      return deposit?.status === 'captured' ? 'captured' : 'gone';
    });
  }

  /** Releases what is reserved, or would be by a request that arrives later; of what was captured nothing changes. */
  release(saleId: string): Promise<void> {
    return this.#call('release', () => {
      const deposit = this.#deposits.get(saleId);
      if (deposit?.status !== 'captured')
        this.#deposits.set(saleId, { amountCents: 0, status: 'released', refundedCents: 0 });
    });
  }

  refund(saleId: string): Promise<string> {
    return this.#call('refund', () => {
      const deposit = this.#deposits.get(saleId);
      if (deposit?.status !== 'captured') throw new Error(`Nothing was captured for ${saleId}.`);
      deposit.refundedCents = deposit.amountCents;
      return `memory-refund:${saleId}`;
    });
  }

  find(saleId: string): Promise<Deposit['status'] | null> {
    return this.#call('find', () => this.#deposits.get(saleId)?.status ?? null);
  }

  /** For the test, unbroken: what the bank holds of a sale's money; `isOpen`: it is still reserved. */
  look(saleId: string): {
    readonly capturedCents: number;
    readonly keptCents: number;
    readonly isOpen: boolean;
  } {
    const deposit = this.#deposits.get(saleId);
    const capturedCents = deposit?.status === 'captured' ? deposit.amountCents : 0;
    return {
      capturedCents,
      keptCents: capturedCents - (deposit?.refundedCents ?? 0),
      isOpen: deposit?.status === 'reserved',
    };
  }

  async #call<T>(method: string, work: () => T): Promise<T> {
    const fault = await this.fault(method);
    if (fault === 'lose_request') throw new MemoryBankError(`${method} did not arrive`);
    const result = work();
    if (fault === 'lose_reply') throw new MemoryBankError(`the answer to ${method} was lost`);
    return result;
  }
}

export const memoryBank = new MemoryBank();
