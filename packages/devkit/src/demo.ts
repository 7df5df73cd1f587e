import { buy } from './demo/buy.ts';
import { buyAnonymously } from './demo/buy-anonymously.ts';
import { changeListing } from './demo/change-listing.ts';
import { findInLog } from './demo/find-in-log.ts';
import { listProduct } from './demo/list-product.ts';
import { meetAtIngress } from './demo/meet-at-ingress.ts';
import { moveMoney } from './demo/money.ts';
import { openMarketplace } from './demo/open-marketplace.ts';
import { payWithUsdc } from './demo/pay-with-usdc.ts';
import { readDemandLedger } from './demo/read-demand-ledger.ts';
import { readPurchaseAgain } from './demo/read-purchase-again.ts';
import { refuseBadDeliveries } from './demo/refuse-bad-deliveries.ts';
import { createStory, StepFailed } from './demo/story.ts';
import { useMcp } from './demo/use-mcp.ts';
import { verifyOffline } from './demo/verify-offline.ts';
import { createLifetime } from './lifetime.ts';
import { explain } from './refusal-to-start.ts';

// `pnpm demo`: from an empty marketplace to a verified receipt. A chapter is a file in demo/ and a line here.

const story = createStory(process.stdout, process.env);
const lifetime = createLifetime();

async function main(): Promise<void> {
  story.title('Agent Marketplace', 'One agent sells, another buys, and anyone can verify the receipt.');
  const stage = await openMarketplace(story, lifetime);
  const product = await listProduct(stage);
  const purchase = await buy(stage, product);
  const receipt = await verifyOffline(stage, purchase);
  await changeListing(stage, product);
  await refuseBadDeliveries(stage, purchase);
  await readPurchaseAgain(stage, purchase, product);
  await buyAnonymously(stage);
  await useMcp(stage);
  await meetAtIngress(stage);
  await moveMoney(stage);
  await payWithUsdc(stage);
  await readDemandLedger(stage);
  await findInLog(stage, purchase);

  story.chapter('Done');
  story.fact('took', `${(performance.now() / 1000).toFixed(1)} s`);
  story.fact('purchase', receipt.purchaseId);
  story.check(true, `its receipt, signed by ${receipt.keyId}, verified offline`);
  story.say('This marketplace is stopped now. `pnpm dev` starts one that stays, at http://localhost:8787/.');
}

const interrupted = new Promise<never>((_, reject) => {
  lifetime.stopping.addEventListener('abort', () => reject(new StepFailed('Interrupted.')));
});
try {
  await Promise.race([main(), interrupted]);
} catch (error) {
  story.failed(error instanceof StepFailed ? error.message : explain(error));
  process.exitCode = 1;
} finally {
  await lifetime.end();
}
