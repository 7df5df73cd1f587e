import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';

/** What a seller is told of; `data` is what the event says. */
export interface Notice {
  readonly sellerId: string;
  readonly type: string;
  readonly data: JsonObject;
}

/** The change that the mail of a notice can cancel; null: none. */
export function changeToCancel({ type, data }: Notice): string | null {
  return type === 'payout.change_requested' && typeof data.changeId === 'string' ? data.changeId : null;
}

/**
 * The mail to the person behind a seller. Of what others wrote it repeats a wallet's address, cut short, and the host of
 * an endpoint, in a form that no mail program makes a link of.
 */
export function noticeMail(notice: Notice, place: Place): { subject: string; text: string } {
  const { subject, lines } = contentOf(notice, place);
  const text = [
    ...lines,
    '',
    `Your seller has the id ${notice.sellerId}; its console: ${place.siteUrl}/seller`,
    '',
    `${BRAND.operator}. This address does not read mail.`,
    '',
  ].join('\n');
  return { subject: `${subject} on ${BRAND.platform}`, text };
}

/** Where links lead. */
export interface Place {
  /** Without a trailing slash. */
  readonly siteUrl: string;
  /** Cancels what the mail tells of; null: nothing does. */
  readonly cancelPage: string | null;
}

interface Content {
  readonly subject: string;
  readonly lines: readonly string[];
}

function contentOf({ type, data }: Notice, { siteUrl, cancelPage }: Place): Content {
  const writeToUs = `write to us: ${siteUrl}/contact`;
  switch (type) {
    case 'payout.change_requested':
      return {
        subject: 'Somebody asked to change where your seller is paid',
        lines: [
          `Somebody asked ${requesterOf(data)} to change where your seller is paid.`,
          `What falls due from ${data.effectiveAt} on goes to ${destinationOf(data)}.`,
          '',
          'If it was you, there is nothing to do. If not, cancel the change before then:',
          '',
          String(cancelPage),
          '',
          'Opening the page changes nothing: it has a button. Anyone who has the link can cancel this change.',
          `With the API key, it is POST /sell/payouts/changes/${data.changeId}/cancel.`,
          'After that you are paid as before, and nothing can be changed for 7 days.',
        ],
      };
    case 'payout.change_cancelled':
      return {
        subject: 'A change of where your seller is paid was cancelled',
        lines: [
          `The change to ${destinationOf(data)} was cancelled ${CANCELLED_BY[String(data.by)] ?? ''}.`,
          `Your seller is paid as before, and nothing can be changed until ${data.changesFrozenUntil}.`,
          '',
          `If it was not you who cancelled, ${writeToUs}`,
        ],
      };
    case 'payout.changed':
      return {
        subject: 'Your seller is paid elsewhere from now on',
        lines: [
          `What falls due from now on goes to ${destinationOf(data)}.`,
          '',
          `If it was not you who asked for that, somebody else has your key or link: ${writeToUs}`,
        ],
      };
    case 'payout.account_restricted':
      return {
        subject: 'Your seller cannot be paid any more',
        lines: [
          'The card processor restricted or closed the account that your seller is paid to.',
          'Its listings with a price are off the market. What it sold waits until it can be paid.',
          '',
          'Open the onboarding page of your seller and enter what the card processor asks for, or bind a wallet for USDC.',
          'Everything goes on by itself after that.',
        ],
      };
    case 'payout.account_restored':
      return {
        subject: 'Your seller can be paid again',
        lines: [
          'The card processor pays to the account of your seller again. Its listings are on the market.',
        ],
      };
    case 'endpoint.changed':
      return {
        subject: 'The delivery endpoint of your seller was changed',
        lines: [
          `It was changed ${requesterOf(data)}. What your seller sells is asked for now at the host:`,
          '',
          `    ${plainHost(data.host)}`,
          '',
          'If it was not you, set the endpoint again with the API key: POST /sell/callback.',
        ],
      };
    case 'endpoint.displaced':
      return {
        subject: 'The delivery endpoint of your seller belongs to another seller',
        lines: [
          'The server at your address now answers for another seller, and names it. Your listings are paused.',
          '',
          'Set an endpoint that is yours with the API key: POST /sell/callback.',
        ],
      };
    case 'endpoint.unreachable':
      return {
        subject: 'The delivery endpoint of your seller does not answer',
        lines: [
          `It has answered no buyer and no challenge since ${data.silentSince}. Browsing leaves your listings out, and who has`,
          'a link can still buy.',
          '',
          data.willProbe === true
            ? 'It is asked again every hour, and your listings are back with its first answer.'
            : 'It answered HTTP 410, and is asked no more: set the endpoint again with the API key, POST /sell/callback.',
        ],
      };
    case 'endpoint.reachable':
      return {
        subject: 'The delivery endpoint of your seller answers again',
        lines: ['Your listings are found in browsing again.'],
      };
    default:
      return {
        subject: 'Another seller uses the host of your delivery endpoint',
        lines: [
          'Another seller verified a delivery endpoint on the host that yours is on:',
          '',
          `    ${plainHost(data.host)}`,
          '',
          'If nobody else may use your host, see what answers on it.',
        ],
      };
  }
}

const CANCELLED_BY: Readonly<Record<string, string>> = {
  key: 'with the API key',
  mail: 'with the link of a mail like this one',
  wallet: 'with the signature of the wallet that was paid before',
};

const requesterOf = ({ by }: JsonObject) => (by === 'claim_link' ? 'with a claim link' : 'with the API key');

function destinationOf({ kind, address }: JsonObject): string {
  if (kind !== 'wallet') return 'an account at the card processor';
  const text = String(address);
  return `the wallet ${text.slice(0, 6)}…${text.slice(-4)}`;
}

const HOST_CHARACTERS = 60;

/** Whoever chose the host may want it to be opened. */
function plainHost(host: unknown): string {
  const text = String(host).replaceAll(/[^A-Za-z0-9.:[\]-]/g, '');
  const short = text.length <= HOST_CHARACTERS ? text : `…${text.slice(-HOST_CHARACTERS)}`;
  return short.replaceAll('.', '[.]');
}
