import type { Operations } from '@agent-marketplace/sdk';
import { Ledger } from '../components/ledger.tsx';
import { Prose, SellerText } from '../components/text.tsx';
import { Instant } from '../components/time.tsx';
import { count, money, price } from '../format/figures.ts';
import { oneLine } from '../format/text.ts';
import { definePage } from '../page.ts';
import { Bars } from './books/bars.tsx';
import { PARTIES, RAILS, STATES } from './books/classes.ts';

type Books = Operations['getDemandLedger']['output'];

const ROWS_A_PAGE = 100;

/** The API's sentence counts in cents. */
const inMoney = (text: string) => text.replaceAll(/(-?\d+) cents/g, (_, cents) => money(Number(cents)));

const labelOf = (labels: typeof RAILS | typeof PARTIES, name: string) =>
  labels.find(([known]) => known === name)?.[1] ?? name;

/** The demand ledger: every settled purchase, and totals that anyone can recompute from the rows. */
export const booksPage = definePage({
  path: '/books',
  async get({ api, apiBaseUrl, url }) {
    const cursor = url.searchParams.get('cursor') ?? undefined;
    const affiliatedCursor = url.searchParams.get('affiliated') ?? undefined;
    const books = await api.getDemandLedger({ limit: ROWS_A_PAGE, cursor, affiliatedCursor });
    return {
      title: 'Open books',
      description:
        'Every settled purchase, one row each, and totals that anyone can recompute from the rows.',
      scripts: ['books'],
      main: (
        <div class="sections">
          <div class="page-head">
            <h1>Open books</h1>
            <p class="lead">
              Every settled purchase has a row here, including free ones and our own samples. You need not
              trust the totals: you can recompute each one from the rows.
            </p>
          </div>
          <Totals books={books} apiBaseUrl={apiBaseUrl} />
          <Charts books={books} />
          <Classes books={books} />
          <Rows books={books} isFirst={cursor === undefined} />
          <Affiliated books={books} />
          <Limits books={books} apiBaseUrl={apiBaseUrl} />
        </div>
      ),
    };
  },
});

function Totals({ books, apiBaseUrl }: { books: Books; apiBaseUrl: string }) {
  const { totals, escrow, window, armsLengthCents, armsLengthClassification } = books;
  return (
    <section class="books-totals" aria-labelledby="totals">
      <div class="stack">
        <h2 id="totals">Totals</h2>
        <p class="fine">
          As of <Instant iso={books.generatedAt} />
          {window.first !== null && (
            <>
              ; first row: <Instant iso={window.first} />
            </>
          )}
        </p>
        <p id="recomputed" class="note" role="status" data-api={apiBaseUrl}>
          {inMoney(books.reconciliation)}
        </p>
        <p class="actions">
          <button type="button" id="recompute" class="quiet" hidden>
            Recompute the totals in my browser
          </button>
        </p>
      </div>
      <div class="sheet">
        <Ledger
          rows={[
            { label: 'Rows', value: count(totals.settledRows) },
            { label: 'Of reference listings', value: count(totals.referenceListingRows) },
            { label: 'Sales', value: count(totals.settledSales) },
            { label: 'Free', value: count(totals.zeroAmountRows) },
            { label: 'Paid', value: count(totals.paidRows) },
            { label: 'Buyers', value: count(totals.distinctBuyers) },
            { label: 'Sellers', value: count(totals.distinctSellers) },
            { label: 'Paid in USDC, on chain', value: count(books.externallySigned) },
            { label: 'Fees', value: money(totals.platformFeeCents) },
            { label: 'In escrow', value: money(escrow.heldCents + escrow.releasingCents) },
            { label: 'Paid to sellers', value: money(escrow.releasedCents) },
            {
              label: 'At arm’s length',
              value: armsLengthClassification.configured ? money(armsLengthCents) : 'not classified yet',
            },
            { label: 'Turnover', value: money(totals.grossCents), isTotal: true },
          ]}
        />
      </div>
    </section>
  );
}

function Charts({ books }: { books: Books }) {
  return (
    <section class="stack" aria-labelledby="charts">
      <h2 id="charts">Paid rows</h2>
      <div class="books-charts">
        <Bars title="By rail" rows={RAILS.map(([name, label]) => ({ label, value: books.byRail[name] }))} />
        <Bars
          title="By party"
          rows={PARTIES.map(([name, label]) => ({ label, value: books.byParty[name] }))}
        />
        <Bars
          title="All rows, by state"
          rows={[
            { label: STATES.held, value: books.escrow.heldRows },
            { label: STATES.releasing, value: books.escrow.releasingRows },
            { label: STATES.released, value: books.escrow.releasedRows },
          ]}
        />
      </div>
    </section>
  );
}

function Classes({ books }: { books: Books }) {
  return (
    <section class="stack" aria-labelledby="classes">
      <h2 id="classes">What the parties mean</h2>
      <p>A row belongs to the first party that matches. Only the last one counts as independent demand.</p>
      <table class="half">
        <thead>
          <tr>
            <th scope="col">Party</th>
            <th scope="col">Meaning</th>
            <th scope="col" class="amount">
              Paid
            </th>
            <th scope="col" class="amount">
              All
            </th>
          </tr>
        </thead>
        <tbody>
          {PARTIES.map(([name, label, means]) => (
            <tr>
              <th scope="row">{label}</th>
              <td>{means}</td>
              <td class="amount">{count(books.byParty[name])}</td>
              <td class="amount">{count(books.byPartyAllRows[name])}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="soft">{books.armsLengthClassification.note}</p>
    </section>
  );
}

function Rows({ books, isFirst }: { books: Books; isFirst: boolean }) {
  if (books.ledger.length === 0)
    return <p>{isFirst ? 'There are no rows yet.' : 'There are no more rows.'}</p>;
  return (
    <section class="stack" aria-labelledby="rows">
      <h2 id="rows">Rows, newest first</h2>
      <section class="scroll" aria-label="Rows of the ledger" tabindex={0}>
        <table>
          <thead>
            <tr>
              {['When', 'Seller', 'Buyer', 'Vertical', 'Paid by', 'Party', 'State'].map((head) => (
                <th scope="col">{head}</th>
              ))}
              <th scope="col" class="amount">
                Fee
              </th>
              <th scope="col" class="amount">
                Price
              </th>
            </tr>
          </thead>
          <tbody>
            {books.ledger.map((row) => (
              <tr>
                <td>
                  <Instant iso={row.createdAt} />
                </td>
                <td>
                  <SellerText text={oneLine(row.seller, 40)} />
                </td>
                <td>
                  <SellerText text={oneLine(row.buyer, 40)} />
                </td>
                <td>
                  {row.verticalName}
                  {row.isReferenceListing && <span class="soft"> (reference)</span>}
                </td>
                <td>{row.amountCents === 0 ? '–' : labelOf(RAILS, row.rail)}</td>
                <td>{labelOf(PARTIES, row.party)}</td>
                <td>{STATES[row.status]}</td>
                <td class="amount">{row.platformFeeCents === 0 ? '–' : money(row.platformFeeCents)}</td>
                <td class="amount">{price(row.amountCents)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <nav class="pager" aria-label="Pages of the ledger">
        {isFirst ? <span /> : <a href="/books#rows">← Newest</a>}
        {books.nextCursor !== null && (
          <a rel="next" href={`/books?${new URLSearchParams({ cursor: books.nextCursor })}#rows`}>
            Earlier →
          </a>
        )}
      </nav>
    </section>
  );
}

function Affiliated({ books: { affiliatedRail: rail } }: { books: Books }) {
  return (
    <section class="stack" aria-labelledby="affiliated">
      <h2 id="affiliated">Affiliated merchants</h2>
      <p>{rail.disclosure}</p>
      {rail.count === 0 ? (
        <p class="soft">No receipt is recorded.</p>
      ) : (
        <Ledger
          rows={[
            ...Object.entries(rail.byMerchant).map(([name, sums]) => ({
              label: <SellerText text={oneLine(name, 80)} />,
              value: `${count(sums.count)}, ${money(sums.grossCents)}`,
            })),
            { label: 'Not in the totals above', value: money(rail.grossCents), isTotal: true },
          ]}
        />
      )}
    </section>
  );
}

function Limits({ books, apiBaseUrl }: { books: Books; apiBaseUrl: string }) {
  return (
    <section class="stack" aria-labelledby="limits">
      <h2 id="limits">What this does not show</h2>
      <ul>
        {books.limitations.map((limitation) => (
          <li>
            <Prose text={limitation} />
          </li>
        ))}
      </ul>
      <p>
        For programs:{' '}
        <a href={`${apiBaseUrl}/proof/demand`}>
          <code>GET /proof/demand</code>
        </a>
        . It is signed, and you can <a href="/verify">verify</a> the signature.
      </p>
    </section>
  );
}
