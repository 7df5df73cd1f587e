import { MINUTE_MS, SECOND_MS } from '@agent-marketplace/core/kernel/time.ts';
import { Berth, keySetOf, verifyAdmission } from '@agent-marketplace/sdk';
import { type Stage, short, withoutNetwork } from './stage.ts';

const CLASS = 'COMMERCE';

interface Reading {
  readonly live_counterparties: number;
  readonly classification: string;
}

/** Two agents are let in by the door, and one of them falls silent. */
export async function meetAtTheDoor({ story, baseUrl, now, advanceClock }: Stage): Promise<void> {
  story.chapter('Two agents meet at the ingress door');
  story.page('/depth');
  const read = async (path: string) => (await fetch(baseUrl + path)).json();
  const occupancy = () => read(`/ingress/occupancy?class=${CLASS}`) as Promise<Reading>;
  const tell = ({ live_counterparties, classification }: Reading) =>
    story.fact(`${CLASS} depth`, `${live_counterparties}: ${classification}`);

  const before = await occupancy();
  tell(before);
  story.check(before.classification === 'FOUNDING', 'nobody is there: whoever comes first is a founder');

  const [seller, buyer] = [await Berth.create({ baseUrl, now }), await Berth.create({ baseUrl, now })];
  const sold = await seller.admit({ intentClass: CLASS, side: 'sell' });
  const bought = await buyer.admit({ intentClass: CLASS, side: 'buy' });
  story.fact('a seller', `berth ${short(seller.key.berthKey)}, session ${short(sold.sessionId)}`);
  story.fact('a buyer', `berth ${short(buyer.key.berthKey)}, session ${short(bought.sessionId)}`);
  const [keys, schedule] = [keySetOf(await read('/ingress/keys')), await read('/ingress/schedule')];
  const depths = await withoutNetwork(async () => {
    const verified = await Promise.all(
      [sold, bought].map(({ receipt }) => verifyAdmission(receipt, keys, schedule)),
    );
    story.check(
      verified.every(({ valid }) => valid),
      'both ADMIT receipts verify offline, their classification included',
    );
    return [sold, bought].map(({ receipt }) => (receipt.depth as unknown as Reading).live_counterparties);
  });
  story.check(depths.join() === '0,1', 'the seller met nobody, the buyer met one seller');

  const both = await occupancy();
  tell(both);
  story.check(both.classification === 'SPARSE', 'two are live');

  story.say("Two minutes pass on the marketplace's clock. The seller sends a heartbeat, the buyer does not.");
  await advanceClock(MINUTE_MS);
  await seller.heartbeat();
  await advanceClock(MINUTE_MS + SECOND_MS);
  const after = await occupancy();
  tell(after);
  story.check(after.live_counterparties === 1, 'depth is who is live, not who ever came');
  story.check(!(await buyer.heartbeat()), 'the silent session is gone (404)');
  await buyer.admit({ intentClass: CLASS, side: 'buy' });
  story.check((await occupancy()).live_counterparties === 2, 'and with a fresh requestId the buyer is back');
}
