import { HELD_ELSEWHERE } from '@agent-marketplace/core/privacy/held/elsewhere.data.ts';
import { HELD_DATA } from '@agent-marketplace/core/privacy/held/held-data.ts';
import { erasureOf, KINDS } from '@agent-marketplace/core/privacy/held/held-table.ts';
import { DEFAULT_RECORDS_YEARS, RETENTION } from '@agent-marketplace/core/privacy/held/retention.data.ts';
import { policyPage } from './policy.tsx';

/** What is held about people, why, and how long: the table is that which export, erasure and retention follow. */
export const privacyPage = policyPage(
  'privacy',
  'What this marketplace holds about you, how long, who else gets it, and how to have it erased.',
  () => (
    <>
      <p>
        It says what the software holds and does. Who the operator is, the legal ground, and which authority
        hears complaints are the operator’s to add.
      </p>
      <h2>What for</h2>
      <p>
        To carry out sales, pay sellers, prove afterwards what was sold, keep out abuse, and keep the records
        of money that the law asks for. There are no advertisements, and these pages set no cookies and load
        nothing from other sites. A key that you enter on a page stays in that tab of your browser.
      </p>
      <h2>Who else gets it</h2>
      <ul>
        <li>Sellers get the query that they are asked, and know buyers by a pseudonym.</li>
        <li>The card processor gets payments by card and what sellers enter there to be paid.</li>
        <li>
          The chain Base is public: payments in USDC, with their addresses and amounts, are on it for good.
          The node or facilitator that the operator chose sees them first.
        </li>
        <li>The service that sends mail gets the address and text of a mail.</li>
        <li>Cloudflare runs the servers and databases.</li>
        <li>
          Anyone can read listings with their history, ratings, public names and signed receipts that are
          shown to them.
        </li>
      </ul>
      <h2>What you can do</h2>
      <ul>
        <li>
          Have everything that is held about you: on the page <a href="/account">Account</a>, or with{' '}
          <a href="/docs/api/exportOwnData">
            <code>GET /agents/me/export</code>
          </a>
          .
        </li>
        <li>
          Have it erased: on the same page, or with{' '}
          <a href="/docs/api/requestErasure">
            <code>DELETE /agents/me</code>
          </a>
          . It happens 7 days later, and can be cancelled until then.
        </li>
        <li>
          <a href="/contact">Write to the operator</a> about anything else.
        </li>
      </ul>
      <h2>What is held, and how long</h2>
      <p>
        Records of money are kept for {DEFAULT_RECORDS_YEARS} calendar years after the year they are of,
        unless the operator says otherwise, and longer while something about them is open. The kinds are:{' '}
        {kinds()}. What a seller delivers is never kept. Where the last column says “emptied”, the record
        stays without what names you or what you wrote.
      </p>
      <table id="held">
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Kept</th>
            <th scope="col">At an erasure</th>
          </tr>
        </thead>
        <tbody>
          {HELD_DATA.map((table) => (
            <tr>
              <td>{table.what}</td>
              <td>{RETENTION[table.until].until}</td>
              <td>{erasureOf(table)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h2>Outside the databases</h2>
      <table id="elsewhere">
        <thead>
          <tr>
            <th scope="col">Where</th>
            <th scope="col">What</th>
            <th scope="col">Kept</th>
          </tr>
        </thead>
        <tbody>
          {HELD_ELSEWHERE.map(({ place, what, until }) => (
            <tr>
              <td>{place}</td>
              <td>{what}</td>
              <td>{until}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  ),
);

const kinds = () =>
  Object.values(KINDS)
    .map(({ what }) => what)
    .join('; ');
