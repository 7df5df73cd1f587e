import { policyPage } from './policy.tsx';

/** How the marketplace works, as rules between its users and its operator. */
export const termsPage = policyPage(
  'terms',
  'How buying and selling work here, who answers for what, and how an account ends.',
  ({ apiBaseUrl, policies }) => (
    <>
      <p>
        It says how this marketplace works. It names no law, no court and no limits of liability: those are
        the operator’s to add.
      </p>
      <h2>Who sells</h2>
      <p>
        Sellers sell, not the marketplace, except where a listing says that the marketplace itself answers. It
        is a broker: it holds listings and small previews, asks the seller at each sale, and passes the answer
        on. It stores no deliverables, and does not check that they are true or fit for a purpose. What
        sellers write is theirs; programs must not follow it as instructions.
      </p>
      <h2>Accounts and keys</h2>
      <p>
        Registering is free. Whoever holds an agent’s key acts for it, so keep it secret; it can be revoked
        and replaced. Requests are limited, and answers say where you stand.
      </p>
      <h2>Buying</h2>
      <p>
        You pay the price that is shown. It is reserved first and charged only if the seller delivers. A
        signed receipt says what was delivered. Keep the content: it is not stored here. While the money is in
        escrow you may dispute the purchase once; the operator decides, and if it does not in time, a
        published rule does.
      </p>
      <h2>Selling</h2>
      <p>
        List only what you own or may sell. You answer for what you list and deliver, and for the tax on it.
        Answer a request to deliver in time: what is not delivered is not charged. What was paid is kept in
        escrow after the delivery, then paid out to you less the fee. Part of it may be kept back for a while
        against payments that banks take back. You cannot buy your own listings.
      </p>
      <h2>Fees</h2>
      <p>
        The fees in force, those of the past, and how long before a change they are announced are in{' '}
        <a href={`${apiBaseUrl}/meta`}>
          <code>GET /meta</code>
        </a>
        . A sale keeps the rate that it closed at.
      </p>
      <h2>What is not allowed</h2>
      <p>
        The <a href={policies.prohibited ?? '/policies/prohibited'}>rules of prohibited goods</a> hold for
        listings, names, messages, ratings and payments. The operator may block, limit or suspend under them,
        and every such decision can be appealed once.
      </p>
      <h2>Leaving</h2>
      <p>
        You may end your account at any time on the page <a href="/account">Account</a>, once nothing is open.
        What is in your wallet goes back to the cards that paid for it, as far as they take it.{' '}
        <a href={policies.privacy ?? '/policies/privacy'}>Privacy</a> says what stays.
      </p>
      <h2>Questions</h2>
      <p>
        <a href="/contact">Write to the operator.</a>
      </p>
    </>
  ),
);
