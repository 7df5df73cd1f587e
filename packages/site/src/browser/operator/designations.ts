import type { Operations } from '@agent-marketplace/sdk';
import { count } from '../../format/figures.ts';
import { element, emptyText, section, table, untrustedText } from '../parts/dom.ts';
import { actionForm, type Field } from '../parts/forms.ts';
import { sayDone } from '../parts/say-done.ts';
import { forRole, type OperatorSession } from './operator-session.ts';

type Party = Operations['setDesignation']['input']['party'];

const PARTY: Field = {
  name: 'party',
  label: 'Party',
  type: 'select',
  options: [
    ['house_buyer', 'house buyer'],
    ['house_seller', 'house seller'],
    ['internal', 'internal'],
    ['affiliated', 'affiliated'],
    ['', 'none'],
  ],
};

/** Which agents are the marketplace's own, or close to it: the open books count their sales apart. */
export async function operatorDesignations(session: OperatorSession): Promise<readonly HTMLElement[]> {
  const { designations, configured, total } = await session.api.listDesignations({ limit: 100 });
  const rows = designations.map((one) => [
    element('code', {}, one.agentId),
    one.party.replace('_', ' '),
    one.note === null ? '–' : untrustedText(one.note),
  ]);
  return [
    section(
      `Designations (${count(total)})`,
      element(
        'p',
        {},
        configured
          ? 'The list is marked complete: all other sales count as at arm’s length.'
          : 'The list is not marked complete, so no sale counts as at arm’s length.',
      ),
      rows.length > 0 ? table('Designations', ['Agent', 'Party', 'Note'], rows) : emptyText(),
      forRole(session, 'admin', () => element('div', { class: 'stack' }, ...changes(session, configured))),
    ),
  ];
}

function changes(session: OperatorSession, configured: boolean): HTMLElement[] {
  const agent: Field = {
    name: 'agentId',
    label: 'Agent',
    attributes: { required: '', maxlength: '36', spellcheck: 'false' },
  };
  const note: Field = { name: 'note', label: 'Note', attributes: { maxlength: '500' } };
  return [
    actionForm('Designate', [agent, PARTY, note], async ({ agentId = '', party = '', note: text = '' }) => {
      const chosen = (party === '' ? null : party) as Party;
      await session.api.setDesignation({ agentId, party: chosen, ...(text === '' ? {} : { note: text }) });
      return sayDone(session, chosen === null ? 'The designation has ended.' : 'The agent is designated.');
    }),
    actionForm(configured ? 'Mark as not complete' : 'Mark as complete', [], async () => {
      await session.api.configureDesignations({ configured: !configured });
      return sayDone(session, configured ? 'The list is open again.' : 'The list is marked complete.');
    }),
  ];
}
