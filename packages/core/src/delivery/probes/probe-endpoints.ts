import { toHex } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { recordSellerNotice } from '../../agents/index.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { dayOf, type IsoTime, isoTime } from '../../kernel/time.ts';
import type { DeliveryPorts } from '../ask-seller.ts';
import { challengeEndpoint, NONCE_BYTES } from '../challenge-endpoint.ts';
import { IDLE_MS, planProbes, probeResult, silenceAfter } from './probes.rules.ts';
import {
  claimEndpoints,
  countProbeHour,
  isOvertakenProbe,
  listDueEndpoints,
  listRecovered,
  markAnswered,
  markRecoveryTold,
  type ProbedEndpoint,
  saveSilence,
} from './probes.store.ts';

type ProbePorts = DeliveryPorts & Pick<Ports, 'market' | 'log'>;

/** How many due endpoints one run reads: those that need no probe, and those of a crowded host, are put off at once. */
const READ_PER_RUN = 100;
const TOLD_PER_RUN = 50;

/**
 * Has silent endpoints prove again that they listen, each an hour after the last time at the earliest, and idle ones once a
 * week. After a day without an answer a seller's listings leave browsing, and it is told; it is told as well when they are
 * back.
 */
export async function probeEndpoints(ports: ProbePorts): Promise<void> {
  const { market, clock } = ports;
  const now = clock.now();
  const [due, recovered] = await Promise.all([
    listDueEndpoints(market, {
      now: isoTime(now),
      answeredSince: dayOf(isoTime(now - IDLE_MS)),
      limit: READ_PER_RUN,
    }),
    listRecovered(market, TOLD_PER_RUN),
  ]);
  for (const recovery of recovered) {
    const { sellerId, recoveredAt: at } = recovery;
    const notice = recordSellerNotice(ports, sellerId, 'endpoint.reachable', {}, at);
    await commitUnlessOvertaken(ports, [...markRecoveryTold(recovery), ...notice]);
  }
  if (due.length === 0) return;
  const { probes, postponed } = planProbes(due, now);
  const claimedUntil = new Map(postponed.map(({ sellerId, to }) => [sellerId, to]));
  // Claimed before anybody is called: a run that dies, or another at the same time, makes no second call.
  const claimed = await claimEndpoints(market, postponed);
  await Promise.all(
    probes.map(async (endpoint) => {
      const until = claimedUntil.get(endpoint.sellerId);
      if (until === undefined || !claimed.has(endpoint.sellerId)) return;
      // One that cannot be recorded does not keep the others from it: it is due again.
      await probe(ports, endpoint, until).catch((error: unknown) => {
        ports.log.error('probe_not_recorded', { sellerId: endpoint.sellerId, message: String(error) });
      });
    }),
  );
}

async function probe(ports: ProbePorts, endpoint: ProbedEndpoint, claimedUntil: IsoTime): Promise<void> {
  const { sellerId, verifiedAt, callbackType, callbackUrl, mcpRevision } = endpoint;
  const nonce = toHex(ports.ids.randomBytes(NONCE_BYTES));
  const target = { sellerId, callbackType, callbackUrl, mcpRevision };
  const outcome = await challengeEndpoint(ports, target, nonce);
  const now = ports.clock.now();
  const at = isoTime(now);
  const result = probeResult(outcome, now);
  if (result.kind === 'unknown') return;
  if (result.kind === 'answered') {
    await ports.market.commit([markAnswered(sellerId, at), countProbeHour(sellerId, at, true)]);
    return;
  }
  const silence = silenceAfter(endpoint, result, now);
  const isNews = endpoint.unreachableSince === null && silence.unreachableSince !== null;
  const data = { silentSince: silence.silentSince, willProbe: silence.probeAt !== null };
  await commitUnlessOvertaken(ports, [
    ...saveSilence({ sellerId, verifiedAt, claimedUntil, ...silence }),
    countProbeHour(sellerId, at, false),
    ...(isNews ? recordSellerNotice(ports, sellerId, 'endpoint.unreachable', data, at) : []),
  ]);
}

async function commitUnlessOvertaken(
  { market }: Pick<Ports, 'market'>,
  statements: Parameters<Ports['market']['commit']>[0],
): Promise<void> {
  await market.commit(statements).catch((error: unknown) => {
    if (!isOvertakenProbe(error)) throw error;
  });
}
