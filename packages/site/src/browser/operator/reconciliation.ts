import type { Operations } from '@agent-marketplace/sdk';
import { count, instant, money } from '../../format/figures.ts';
import { element, ledger, section, table } from '../parts/dom.ts';
import { actionForm, centsOf } from '../parts/forms.ts';
import type { OperatorSession } from './operator-session.ts';

type Reconciliation = Operations['getReconciliation']['output'];

/** Whether the accounts agree, and a form to compare with figures that only the operator knows. */
export async function operatorReconciliation({ api }: OperatorSession): Promise<readonly HTMLElement[]> {
  const report = await api.getReconciliation();
  const result = element('div', { class: 'stack' }, ...comparison(report));
  const keptFee = {
    name: 'keptFee',
    label: 'Fees kept by the card processor and not in the ledger yet, in US dollars',
    type: 'number',
    attributes: { min: '0', step: '0.01', inputmode: 'decimal', required: '', value: '0' },
  };
  const deposits = {
    name: 'deposits',
    label: 'Your net deposits to the account on chain so far, in US dollars',
    type: 'number',
    attributes: { step: '0.01', required: '', value: '0' },
  };
  const part = section('Reconciliation', result);
  const fields = [...(report.processorCompared ? [keptFee] : []), ...(isOnChain(report) ? [deposits] : [])];
  if (fields.length > 0) {
    part.append(
      actionForm('Compare again', fields, async (values) => {
        const updated = await api.getReconciliation({
          processorKeptCents: centsOf(values.keptFee ?? '0'),
          usdcAddedCents: centsOf(values.deposits ?? '0'),
        });
        result.replaceChildren(...comparison(updated));
        return 'Compared.';
      }),
    );
  }
  return [part];
}

const NAMES = { card: 'the card processor', usdc: 'the chain' } as const;
const lastRead = (readUntil: string | null): string => (readUntil === null ? 'nothing' : instant(readUntil));

const isOnChain = (report: Reconciliation): boolean => report.usdcBalanceCents !== null;

function agreementText(report: Reconciliation): string {
  const compared = [
    'Ledger, wallets, purchases',
    ...(report.processorCompared ? ['the card processor'] : []),
    ...(isOnChain(report) ? ['the account on chain'] : []),
  ];
  const notCompared = [
    ...(report.processorCompared ? [] : ['the card processor']),
    ...(isOnChain(report) ? [] : ['the account on chain']),
  ];
  const agreement = `${compared.join(', ').replace(/, ([^,]+)$/, ' and $1')} agree.`;
  return notCompared.length === 0 ? agreement : `${agreement} Not compared: ${notCompared.join(' and ')}.`;
}

function comparison(report: Reconciliation): HTMLElement[] {
  const { findings } = report;
  const objects = [
    ...report.objects.onlyOutside.map((one) => ['only outside', one] as const),
    ...report.objects.onlyInLedger.map((one) => ['only in the ledger', one] as const),
    ...report.objects.differs.map((one) => ['other amounts', one] as const),
  ];
  const behind = report.objects.readings.filter(({ isUpToDate }) => !isUpToDate);
  return [
    ...behind.map(({ rail, readUntil }) =>
      element('p', { class: 'note' }, `Not known yet: ${NAMES[rail]} was read up to ${lastRead(readUntil)}.`),
    ),
    ...(objects.length === 0
      ? []
      : [
          table(
            'Objects of this month that do not match',
            ['Object', 'Found', '#Ledger', '#Outside'],
            objects.map(([found, { id, ledgerCents, outsideCents, rail }]) => [
              element('code', {}, id),
              `${found} (${rail === 'card' ? 'card' : 'USDC'})`,
              money(ledgerCents),
              money(outsideCents),
            ]),
          ),
        ]),
    findings.length === 0
      ? element('p', { class: 'note', id: 'reconciled' }, agreementText(report))
      : table(
          'Differences',
          ['Check', 'Subject', '#Expected', '#Found'],
          findings.map(({ check, subject, expectedCents, actualCents }) => [
            element('code', {}, check),
            element('code', {}, subject),
            money(expectedCents),
            money(actualCents),
          ]),
        ),
    ledger([
      ['Owed to wallets', money(report.walletLiabilityCents)],
      ['Reserved for purchases', money(report.reservedCents)],
      ['In escrow for sellers', money(report.escrowCents)],
      ['Fees', money(report.feesCents)],
      ['Kept by the card processor', money(report.processorFeesCents)],
      ['Paid out by the card processor', money(report.payoutsCents)],
      ['Paid out in USDC', money(report.usdcPayoutsCents)],
      ['Card clearing', money(report.cardClearingCents)],
      ['USDC clearing', money(report.usdcClearingCents)],
      ['Paid above the price in USDC', money(report.usdcOverpaidCents)],
      ...(report.usdcBalanceCents === null
        ? []
        : [['In the account on chain', money(report.usdcBalanceCents)] as [string, string]]),
    ]),
    element('h3', {}, 'Balances by rail'),
    element('p', { class: 'fine' }, 'Above zero: owed or earned. Below: held elsewhere, or lost.'),
    balanceTable(report),
    element('h3', {}, 'Due in the next 7 days'),
    ledger(
      report.upcoming.map(({ rail, dueCents, balanceCents }) => [
        rail === 'card' ? 'By the card processor' : 'In USDC',
        `${money(dueCents)} of ${balanceCents === null ? 'an unknown balance' : money(balanceCents)}`,
      ]),
    ),
    element('p', { class: 'fine' }, `As of ${instant(report.generatedAt)}`),
  ];
}

const RAILS = { card: 'card', usdc: 'USDC', both: 'any' } as const;

/** Each kind of account of the ledger that holds something, those of one rail together. */
function balanceTable({ balances }: Reconciliation): HTMLElement {
  const rows = balances
    .map(({ rail, ...one }) => ({ ...one, rail: RAILS[rail ?? 'both'] }))
    .filter(({ amount }) => amount !== 0)
    .toSorted((a, b) => a.rail.localeCompare(b.rail) || a.account.localeCompare(b.account));
  return table(
    'Balances by rail',
    ['Rail', 'Account', '#Balance'],
    rows.map(({ rail, account, amount, currency }) => [
      rail,
      element('code', {}, account),
      currency === 'usd' ? money(amount) : `${count(amount)} ${currency}`,
    ]),
  );
}
