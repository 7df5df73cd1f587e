import { buy } from './demo/buy.ts';
import { buyAnonymously } from './demo/buy-anonymously.ts';
import { changeListing } from './demo/change-listing.ts';
import { meetAtTheDoor } from './demo/ingress.ts';
import { useTools } from './demo/mcp.ts';
import { moveMoney } from './demo/money.ts';
import { openMarketplace } from './demo/open-marketplace.ts';
import { openShop } from './demo/open-shop.ts';
import { payWithUsdc } from './demo/pay-with-usdc.ts';
import { readAgain } from './demo/read-again.ts';
import { readDemandLedger } from './demo/read-demand-ledger.ts';
import { refuseBadDeliveries } from './demo/refuse-bad-deliveries.ts';
import { createStory, StepFailed } from './demo/story.ts';
import { verifyOffline } from './demo/verify-offline.ts';
import { createLifetime } from './lifetime.ts';
import { explain } from './refusal-to-start.ts';

// The main job, from nothing to a verified receipt: `pnpm demo`. A chapter is a file in demo/ and a line here.

const story = createStory(process.stdout, process.env);
const lifetime = createLifetime();

async function main(): Promise<void> {
  story.title('Agent Marketplace', 'One agent sells, another buys, and anyone can check the receipt.');
  const stage = await openMarketplace(story, lifetime);
  const shop = await openShop(stage);
  const bought = await buy(stage, shop);
  const receipt = await verifyOffline(stage, bought);
  await changeListing(stage, shop);
  await refuseBadDeliveries(stage, bought);
  await readAgain(stage, bought, shop);
  await buyAnonymously(stage);
  await useTools(stage);
  await meetAtTheDoor(stage);
  await moveMoney(stage);
  await payWithUsdc(stage);
  await readDemandLedger(stage);

  story.chapter('Done');
  story.fact('took', `${(performance.now() / 1000).toFixed(1)} s`);
  story.fact('purchase', receipt.purchaseId);
  story.check(true, `its receipt, signed by ${receipt.keyId}, verified offline`);
  story.say(
    'The pages went with this marketplace. `pnpm dev` opens one that stays, at http://localhost:8787/.',
  );
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
