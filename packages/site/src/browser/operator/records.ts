import { RULES } from '@agent-marketplace/core/kernel/rules.data.ts';
import type { Operations } from '@agent-marketplace/sdk';
import { money } from '../../format/figures.ts';
import { oneLine } from '../../format/text.ts';
import { element, facts, section, table, timeOf, untrustedText } from '../parts/dom.ts';
import { actionForm, type Field } from '../parts/forms.ts';
import { actionTable } from './audit.ts';
import { mendingForm, mendingLabel } from './mending.ts';
import { forRole, type OperatorSession } from './operator-session.ts';
import { type Done, rowDialog } from './row-dialog.ts';
import { stateBadge } from './state-badge.ts';

type Found = Operations['searchRecords']['output'];
type NoteType = Operations['addNote']['input']['subjectType'];
type Rule = NonNullable<Operations['blockListing']['input']['rule']>;

/** Kept while the page is drawn again after an action. Never in the address: it may be a mail address. */
let sought = '';

const title = (text: string) => untrustedText(oneLine(text, 80) || 'Untitled');
const short = (id: string) => element('code', { title: id }, id.slice(0, 8));

export async function operatorRecords(session: OperatorSession): Promise<readonly HTMLElement[]> {
  const result = element('div', { class: 'sections', id: 'found' });
  const show = async () => {
    const found = await session.api.searchRecords({ q: sought });
    result.replaceChildren(...resultOf(session, found));
    const sum = Object.values(found).reduce((all, rows) => all + (Array.isArray(rows) ? rows.length : 0), 0);
    return sum === 0 ? 'Nothing was found.' : `${sum} found, at most 20 of a kind.`;
  };
  const q: Field = {
    name: 'q',
    label: 'Id, handle, name, title, mail address or payment',
    type: 'search',
    attributes: { required: '', minlength: '2', maxlength: '200', spellcheck: 'false', value: sought },
  };
  const form = actionForm('Search', [q], (values) => {
    sought = (values.q ?? '').trim();
    return show();
  });
  if (sought !== '') await show();
  const hint =
    'The id of an agent or of a listing finds all that hangs on it. Each search is an entry of the audit chain, ' +
    'and a mail address is compared as a whole.';
  return [element('div', { class: 'stack' }, form, element('p', { class: 'fine' }, hint)), result];
}

function resultOf(session: OperatorSession, { agents, listings, payments, purchases }: Found): HTMLElement[] {
  const of = (name: string, heads: readonly string[], rows: Parameters<typeof table>[2]) =>
    rows.length === 0 ? [] : [section(name, table(name, heads, rows))];
  return [
    ...of(
      'Agents',
      ['Name', 'Handle', 'State', 'Since', 'Id', 'Action'],
      agents.map((one) => [
        title(one.displayName ?? one.name),
        element('code', {}, one.handle),
        agentState(one),
        timeOf(one.createdAt),
        short(one.id),
        rowDialog(session, {
          text: 'Open',
          what: `Agent ${one.handle}`,
          draw: (done) => agentDialog(session, one, done),
        }),
      ]),
    ),
    ...of(
      'Listings',
      ['Title', 'State', '#Price', 'Since', 'Id', 'Action'],
      listings.map((one) => [
        title(one.title),
        one.blockedAt !== null
          ? stateBadge('failed', 'blocked')
          : stateBadge(one.status === 'active' ? 'done' : 'waiting', one.status),
        money(one.priceCents),
        timeOf(one.createdAt),
        short(one.id),
        rowDialog(session, {
          text: 'Open',
          what: `Listing ${one.id.slice(0, 8)}`,
          draw: (done) => listingDialog(session, one, done),
        }),
      ]),
    ),
    ...of(
      'Purchases',
      ['When', 'What', 'State', 'Paid by', '#Amount', 'Id', 'Action'],
      purchases.map((one) => [
        timeOf(one.createdAt),
        title(one.listingTitle),
        one.status.replace('_', ' '),
        one.rail,
        money(one.amountCents),
        short(one.id),
        rowDialog(session, {
          text: 'Open',
          what: `Purchase ${one.id.slice(0, 8)} of ${money(one.amountCents)}`,
          draw: (done) => purchaseDialog(session, one, done),
        }),
      ]),
    ),
    ...of(
      'Payments',
      ['When', 'Kind', 'State', '#Amount', 'Reference', 'Purchase'],
      payments.map((one) => [
        timeOf(one.createdAt),
        one.kind.replace('_', '-'),
        one.status.replace('_', ' '),
        money(one.amountCents),
        one.reference === null ? '–' : element('code', {}, one.reference),
        one.purchaseId === null ? '–' : short(one.purchaseId),
      ]),
    ),
  ];
}

function agentState(one: Found['agents'][number]): HTMLElement {
  if (one.erasedAt !== null) return stateBadge('waiting', 'erased');
  if (one.suspendedAt !== null) return stateBadge('failed', 'suspended');
  if (one.limitedSince !== null) return stateBadge('attention', 'limited');
  return stateBadge('done', one.isSeller ? 'seller' : 'buyer');
}

const RULE: Field = {
  name: 'rule',
  label: 'Rule',
  type: 'select',
  attributes: { required: '' },
  options: [['', 'choose'], ...Object.keys(RULES).map((rule) => [rule, rule.replaceAll('_', ' ')] as const)],
};
const REASON: Field = {
  name: 'reason',
  label: 'Reason: the owner reads it, and it is kept in the audit chain',
  type: 'textarea',
  attributes: { required: '', maxlength: '500', rows: '3' },
};

/** A form behind its name: a dialog shows first what there is, and then what can be done. */
const behind = (name: string, form: HTMLElement | null): HTMLElement =>
  element('details', {}, element('summary', {}, name), form);

interface Sanction {
  readonly isOn: boolean;
  /** "Suspend", and what ends it. */
  readonly names: readonly [on: string, off: string];
  readonly done: readonly [on: string, off: string];
  run(isOn: boolean, how: { readonly rule?: Rule; readonly reason: string }): Promise<unknown>;
}

function sanctionForm({ isOn, names, done: texts, run }: Sanction, done: Done): HTMLElement {
  const name = names[isOn ? 1 : 0];
  const form = actionForm(name, isOn ? [REASON] : [RULE, REASON], async ({ rule, reason = '' }) => {
    await run(!isOn, { reason, ...(isOn ? {} : { rule: rule as Rule }) });
    return done(texts[isOn ? 1 : 0]);
  });
  return behind(name, form);
}

async function agentDialog(session: OperatorSession, one: Found['agents'][number], done: Done) {
  const { api } = session;
  return [
    facts([
      ['Id', element('code', {}, one.id)],
      ['Name', title(one.name)],
      ['State', agentState(one)],
      ['Registered', timeOf(one.createdAt)],
      ...(one.suspendedRule === null
        ? []
        : [['Under the rule', one.suspendedRule.replaceAll('_', ' ')] as const]),
    ]),
    ...(await history(session, 'agent', one.id, done)),
    forRole(session, 'support', () =>
      element(
        'div',
        { class: 'stack' },
        sanctionForm(
          {
            isOn: one.limitedSince !== null,
            names: ['Limit: it buys nothing that has a price', 'Let it buy again'],
            done: ['The agent is limited, and was told why.', 'The agent may buy again.'],
            run: (limited, how) => api.limitPurchases({ agentId: one.id, limited, ...how }),
          },
          done,
        ),
        sanctionForm(
          {
            isOn: one.suspendedAt !== null,
            names: ['Suspend: it neither buys nor sells', 'Lift the suspension'],
            done: ['The agent is suspended, and was told why.', 'The suspension is lifted.'],
            run: (suspended, how) => api.suspendAgent({ agentId: one.id, suspended, ...how }),
          },
          done,
        ),
      ),
    ),
  ];
}

async function listingDialog(session: OperatorSession, one: Found['listings'][number], done: Done) {
  return [
    facts([
      ['Id', element('code', {}, one.id)],
      ['Title', title(one.title)],
      ['Price', money(one.priceCents)],
      ['Seller', element('code', {}, one.sellerId)],
      ['Page', element('a', { href: `/listings/${one.id}` }, 'As buyers see it')],
      ...(one.blockedRule === null ? [] : [['Blocked under', one.blockedRule.replaceAll('_', ' ')] as const]),
    ]),
    ...(await history(session, 'listing', one.id, done)),
    forRole(session, 'support', () =>
      sanctionForm(
        {
          isOn: one.blockedAt !== null,
          names: ['Block the listing', 'Lift the block'],
          done: ['The listing is blocked, and its seller was told why.', 'The block is lifted.'],
          run: (blocked, how) => session.api.blockListing({ listingId: one.id, blocked, ...how }),
        },
        done,
      ),
    ),
  ];
}

/** In the order of how often they are needed. */
const OF_PURCHASES = ['holdPurchase', 'liftHold', 'refundPurchase', 'markPaidElsewhere'];

async function purchaseDialog(session: OperatorSession, one: Found['purchases'][number], done: Done) {
  return [
    facts([
      ['Id', element('code', {}, one.id)],
      ['What', element('a', { href: `/listings/${one.listingId}` }, title(one.listingTitle))],
      ['Amount', `${money(one.amountCents)}, by ${one.rail}`],
      ['State', one.status.replace('_', ' ')],
      ['Buyer', one.buyerId === null ? 'a guest' : element('code', {}, one.buyerId)],
      ['Seller', element('code', {}, one.sellerId)],
    ]),
    ...(await history(session, 'purchase', one.id, done)),
    forRole(session, 'finance', () =>
      element(
        'div',
        { class: 'stack' },
        ...OF_PURCHASES.map((name) =>
          behind(
            mendingLabel(name),
            mendingForm(session.api, name, { id: one.id, amountCents: one.amountCents }, done),
          ),
        ),
      ),
    ),
  ];
}

/** What operators did to it and wrote of it, and a form for a note. */
async function history(session: OperatorSession, subjectType: NoteType, subjectId: string, done: Done) {
  const { actions } = await session.api.listOperatorActions({ limit: 20, subjectType, subjectId });
  const note: Field = {
    name: 'note',
    label: 'Note for other operators',
    type: 'textarea',
    attributes: { required: '', maxlength: '1000', rows: '3' },
  };
  return [
    element('h3', {}, 'Decisions and notes'),
    actions.length === 0
      ? element('p', { class: 'soft' }, 'No operator has done anything here.')
      : actionTable(actions),
    forRole(session, 'support', () =>
      behind(
        'Write a note',
        actionForm('Keep the note', [note], async (values) => {
          await session.api.addNote({ subjectType, subjectId, note: values.note ?? '' });
          return done('The note is kept.');
        }),
      ),
    ),
  ];
}
