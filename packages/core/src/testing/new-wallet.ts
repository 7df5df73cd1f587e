import { registerAgent } from '../agents/index.ts';
import type { AnyOperation } from '../kernel/operation/operation.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import {
  completeSetup,
  configureAutoRecharge,
  fundWallet,
  getWalletBalance,
  listWalletTransactions,
  settleTopUp,
  setupPaymentMethod,
} from '../wallet/index.ts';
import { FakeCardProcessor } from './fake-card-processor.ts';
import { newAgentOf, type RegisteredAgent } from './new-seller.ts';
import { readSigned } from './read-signed.ts';
import { createTestMarketplace, type TestMarketplace } from './workers-harness.ts';

const OPERATIONS: readonly AnyOperation[] = [
  registerAgent,
  getWalletBalance,
  fundWallet,
  listWalletTransactions,
  setupPaymentMethod,
  configureAutoRecharge,
];

export interface OpenedTopUp {
  readonly topUpId: string;
  readonly sessionId: string;
}

/** A marketplace with wallets and a card processor in memory, and what people do with them. */
export function createWalletMarketplace() {
  const cards = new FakeCardProcessor({ now: () => market.clock.now() });
  const market: TestMarketplace = createTestMarketplace({ operations: OPERATIONS, overrides: { cards } });
  return { cards, market, ...walletActions(market, cards) };
}

function walletActions(market: TestMarketplace, cards: FakeCardProcessor) {
  const ports = (): Ports => market.newPorts();

  async function call(method: string, path: string, agent: RegisteredAgent, body?: object, headers = {}) {
    const response = await market.request(method, path, { body, apiKey: agent.apiKey, headers });
    return { status: response.status, body: (await readSigned(response)).body };
  }

  async function openTopUp(agent: RegisteredAgent, amountCents: number): Promise<OpenedTopUp> {
    const { status, body } = await call('POST', '/wallet/fund', agent, { amount_cents: amountCents });
    if (status !== 200) throw new Error(JSON.stringify(body));
    const sessionId = String(body.checkoutUrl).split('/').at(-1) as string;
    return { topUpId: body.topUpId as string, sessionId };
  }

  /** Somebody paid: the credits are there. */
  async function fund(agent: RegisteredAgent, amountCents: number): Promise<OpenedTopUp> {
    const opened = await openTopUp(agent, amountCents);
    cards.payCheckout(opened.sessionId);
    await settleTopUp(ports(), { sessionId: opened.sessionId });
    return opened;
  }

  async function saveCard(
    agent: RegisteredAgent,
    kind?: Parameters<typeof cards.saveCard>[1],
  ): Promise<string> {
    const { body } = await call('POST', '/wallet/payment-method', agent, {});
    const sessionId = String(body.setupUrl).split('/').at(-1) as string;
    cards.saveCard(sessionId, kind);
    await completeSetup(ports(), sessionId);
    return sessionId;
  }

  async function balanceOf(agent: RegisteredAgent): Promise<number> {
    return (await call('GET', '/wallet/balance', agent)).body.balanceCents as number;
  }

  return { call, openTopUp, fund, saveCard, balanceOf, newAgent: () => newAgentOf(market) };
}
