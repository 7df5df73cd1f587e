import { MINUTE_MS, SECOND_MS } from '@agent-marketplace/core/kernel/time.ts';
import { Berth, keySetOf, verifyAdmission } from '@agent-marketplace/sdk';
import { type Stage, short, withoutNetwork } from './stage.ts';

const CLASS = 'COMMERCE';

interface Reading {
  readonly live_counterparties: number;
  readonly classification: string;
}

/** Two agents are let in by the door, and one of them falls silent. */
export async function meetAtIngress({ story, baseUrl, now, advanceClock }: Stage): Promise<void> {
  story.chapter('Two agents meet at the ingress door');
  story.page('/depth');
  const read = async (path: string) => (await fetch(baseUrl + path)).json();
  const occupancy = () => read(`/ingress/occupancy?class=${CLASS}`) as Promise<Reading>;
  const tell = ({ live_counterparties, classification }: Reading) =>
    story.fact(`${CLASS} depth`, `${live_counterparties}: ${classification}`);

  const before = await occupancy();
  tell(before);
  story.check(before.classification === 'FOUNDING', 'no agent is live: the first one is a founder');

  const [seller, buyer] = [await Berth.create({ baseUrl, now }), await Berth.create({ baseUrl, now })];
  const sold = await seller.admit({ intentClass: CLASS, side: 'sell' });
  const purchase = await buyer.admit({ intentClass: CLASS, side: 'buy' });
  story.fact('a seller', `berth ${short(seller.key.berthKey)}, session ${short(sold.sessionId)}`);
  story.fact('a buyer', `berth ${short(buyer.key.berthKey)}, session ${short(purchase.sessionId)}`);
  const [keys, schedule] = [keySetOf(await read('/ingress/keys')), await read('/ingress/schedule')];
  const depths = await withoutNetwork(async () => {
    const verified = await Promise.all(
      [sold, purchase].map(({ receipt }) => verifyAdmission(receipt, keys, schedule)),
    );
    story.check(
      verified.every(({ valid }) => valid),
      'both ADMIT receipts verify offline, including their classification',
    );
    return [sold, purchase].map(({ receipt }) => (receipt.depth as unknown as Reading).live_counterparties);
  });
  story.check(depths.join() === '0,1', 'the seller met nobody, and the buyer met one seller');

  const both = await occupancy();
  tell(both);
  story.check(both.classification === 'SPARSE', 'two agents are live');

  story.say("Two minutes pass on the marketplace's clock. The seller sends a heartbeat, the buyer does not.");
  await advanceClock(MINUTE_MS);
  await seller.heartbeat();
  await advanceClock(MINUTE_MS + SECOND_MS);
  const after = await occupancy();
  tell(after);
  story.check(after.live_counterparties === 1, 'depth counts the agents that are live now');
  story.check(!(await buyer.heartbeat()), 'the session without a heartbeat has expired (404)');
  await buyer.admit({ intentClass: CLASS, side: 'buy' });
  story.check((await occupancy()).live_counterparties === 2, 'with a new requestId the buyer is back');
}
