import type { OperationContext } from '../kernel/operation/operation.ts';
import { wideNetworkOf } from '../kernel/operation/rate-key.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { linkWithCode } from '../mail/index.ts';
import type { Subject } from './subjects.store.ts';

type LinkPorts = Pick<Ports, 'keyedHash'>;

/** What one reporter said of one subject. */
export interface ReportOf {
  readonly subject: Subject;
  /** See `reporterOf`. */
  readonly reporter: string;
}

/** Who reports a subject, by the keyed hash of its network or by its id: what it reports elsewhere cannot be told from this. */
export const reporterOf = (
  { keyedHash }: LinkPorts,
  { type, id }: Subject,
  networkOrAgent: string,
): Promise<string> => keyedHash.hex('reporter', `${type} ${id} ${networkOrAgent}`);

/** Whoever reports without a key. Whoever has a /48 has 65,536 networks to report from. */
export async function reporterWithoutKey(
  ports: LinkPorts,
  subject: Subject,
  network: string,
): Promise<string> {
  const from = await ports.keyedHash.hex('registered_from', wideNetworkOf(network) ?? network);
  return reporterOf(ports, subject, from);
}

const textOf = ({ subject: { type, id }, reporter }: ReportOf) => `${type} ${id} ${reporter}`;

/** The page on which a reporter without a key sees what became of its report; the same whenever it reports it. */
export async function reportStatusUrl(
  { ports, baseUrl, settings }: Pick<OperationContext, 'ports' | 'baseUrl' | 'settings'>,
  report: ReportOf,
): Promise<string> {
  const { subject, reporter } = report;
  const mac = await ports.keyedHash.token('report_status', textOf(report));
  const site = settings.siteUrl ?? new URL(baseUrl).origin;
  return linkWithCode(`${site}/reports/${subject.id}`, `${subject.type}.${reporter}.${mac}`);
}

const TOKEN = /^(listing|rating|agent)\.([0-9a-f]{64})\.([0-9a-f]{32})$/;

/** The report that a token was made for; null: it was not made here, or for another subject. */
export async function reportOfToken(
  { keyedHash }: LinkPorts,
  subjectId: string,
  token: string,
): Promise<ReportOf | null> {
  const [, type, reporter = '', mac = ''] = TOKEN.exec(token) ?? [];
  const report = { subject: { type: type as Subject['type'], id: subjectId }, reporter };
  return (await keyedHash.isToken('report_status', textOf(report), mac)) ? report : null;
}
