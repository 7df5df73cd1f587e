import type { Signer } from '@agent-marketplace/protocol/crypto/signer.ts';
import type { Passkeys } from '../crypto/passkeys.ts';
import type { AlarmChannel } from './alarm-channel.ts';
import type { AttachmentStore, ErasureList } from './attachment-store.ts';
import type { Background } from './background.ts';
import type { BackupStore } from './backups/backup-store.ts';
import type { CardProcessor } from './card-processor.ts';
import type { Chain } from './chain.ts';
import type { Clock } from './clock.ts';
import type { Database } from './database.ts';
import type { EventWaits } from './event-waits.ts';
import type { IdTally } from './id-tally.ts';
import type { Ids } from './ids.ts';
import type { ImageFetcher } from './images/image-fetcher.ts';
import type { Depth, Door, DoorKeys } from './ingress.ts';
import type { JobQueue } from './job-queue.ts';
import type { KeyedHash } from './keyed-hash.ts';
import type { Log } from './log.ts';
import type { Mail } from './mail.ts';
import type { Metrics, MetricsReader } from './metrics/metrics.ts';
import type { PaymentClaims } from './payment-claims.ts';
import type { PlatformAnswers } from './platform-answers.ts';
import type { PollingMailbox } from './polling-mailbox.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { ReserveTerms } from './reserve-terms.ts';
import type { SellerEndpoint } from './seller-endpoint.ts';
import type { SubsidyTerms } from './subsidy-terms.ts';
import type { Uploads } from './uploads.ts';

/**
 * Everything that the product needs from outside, as small interfaces. Each has a real adapter and a fake for tests;
 * where their behaviour matters, one test suite checks both.
 */
export interface Ports {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly signer: Signer;
  readonly keyedHash: KeyedHash;
  readonly passkeys: Passkeys;
  readonly market: Database;
  readonly search: Database;
  readonly sellerEndpoint: SellerEndpoint;
  readonly pollingMailbox: PollingMailbox;
  readonly eventWaits: EventWaits;
  readonly rateLimiter: RateLimiter;
  readonly depth: Depth;
  /** Null in Workers without the ingress door. */
  readonly door: Door | null;
  /** Null in Workers that the ingress Worker is not bound to. */
  readonly doorKeys: DoorKeys | null;
  readonly viewTally: IdTally;
  /** Counts the uses of API keys. */
  readonly keyTally: IdTally;
  readonly platformListings: PlatformAnswers;
  /** Null where no card processor is configured. */
  readonly cards: CardProcessor | null;
  readonly reserve: ReserveTerms;
  readonly subsidies: SubsidyTerms;
  /** Null where no chain is configured, so nothing is paid in USDC. */
  readonly chain: Chain | null;
  /** Null except in the x402 Worker. */
  readonly paymentClaims: PaymentClaims | null;
  /** Null where no store for attachments is bound. */
  readonly attachments: AttachmentStore | null;
  /** Null in Workers that fetch no pictures. */
  readonly images: ImageFetcher | null;
  /** Null where no store for attachments is bound: it lies beside them. */
  readonly erasureList: ErasureList | null;
  /** Null except in the jobs Worker. */
  readonly backups: BackupStore | null;
  /** Null in Workers that take no body of more than 1 MiB with attachments. */
  readonly uploads: Uploads | null;
  /** Null in the Workers that send no mail. */
  readonly mail: Mail | null;
  /** Null where nobody is to be told. */
  readonly alarms: AlarmChannel | null;
  /** Of this request, or this run of a job. */
  readonly metrics: Metrics;
  /** Null where none are read. */
  readonly metricsReader: MetricsReader | null;
  readonly jobs: JobQueue;
  readonly background: Background;
  readonly log: Log;
}
