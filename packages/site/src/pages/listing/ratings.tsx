import type { Operations } from '@agent-marketplace/sdk';
import { Pager } from '../../components/pager.tsx';
import { Stars } from '../../components/stars.tsx';
import { SellerProse } from '../../components/text.tsx';
import { Day } from '../../components/time.tsx';
import { count as figure } from '../../format/figures.ts';

type RatingList = Operations['listRatings']['output'];

const PAGE_SIZE = 10;

/** The page of ratings that an address asks for: `?ratings=10` skips the first ten. */
export function ratingsPage(query: URLSearchParams): { readonly limit: number; readonly offset: number } {
  const text = query.get('ratings') ?? '';
  return { limit: PAGE_SIZE, offset: /^\d{1,6}$/.test(text) ? Number(text) : 0 };
}

export function Ratings({ ratings: list, address }: { ratings: RatingList; address: string }) {
  const { average, byStars, listingId, offset, ratings, total } = list;
  const counted = byStars.reduce((sum, { count }) => sum + count, 0);
  return (
    <section class="stack" aria-labelledby="ratings">
      <h2 id="ratings">Ratings</h2>
      {counted === 0 ? (
        <p>
          <Stars value={average} count={0} />
        </p>
      ) : (
        <div class="rating-summary">
          <p>
            <strong class="rating-average">{average.toFixed(1)}</strong>{' '}
            <Stars value={average} count={counted} />
          </p>
          <StarBars byStars={byStars} counted={counted} />
        </div>
      )}
      {total > 0 && (
        <p class="soft">
          From buyers who paid, without their names. The marketplace signed each of them: check it yourself.
        </p>
      )}
      <ul class="entries">
        {ratings.map(({ id, rating, comment, removed, refunded, updatedAt }, index) => (
          <li class="entry dated">
            <div class="entry-what">
              <Stars value={rating} />
              {comment !== null && <SellerProse text={comment} />}
              {removed && <p class="soft">Removed by an operator. It does not count.</p>}
              {refunded && !removed && <p class="soft">The buyer was refunded. It does not count.</p>}
            </div>
            <p class="fine">
              <Day iso={updatedAt} />
              {' · '}
              <a
                href={`/verify?listing=${listingId}&rating=${id}&place=${offset + index}`}
                aria-label={`Check it: the rating of ${rating} of 5 stars, ${id}`}
              >
                Check it
              </a>
              {!removed && (
                <>
                  {' · '}
                  <a
                    href={`/contact?category=report&subject=rating%20${id}`}
                    aria-label={`Report the rating ${id}`}
                  >
                    Report
                  </a>
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
      <Pager page={list} hrefAt={(offset) => `${address}?ratings=${offset}#ratings`} />
    </section>
  );
}

const WIDTH = 160;

/** How many buyers gave how many stars. The figures are a table, and the bars stand beside them. */
function StarBars({ byStars, counted }: { byStars: RatingList['byStars']; counted: number }) {
  return (
    <table class="star-bars">
      <caption class="visually-hidden">Ratings by their stars</caption>
      <tbody>
        {byStars.map(({ rating, count }) => (
          <tr>
            <th scope="row">
              {rating} <span aria-hidden="true">★</span>
              <span class="visually-hidden">{rating === 1 ? 'star' : 'stars'}</span>
            </th>
            <td>
              <svg
                class="measured-bar"
                viewBox={`0 0 ${WIDTH} 10`}
                preserveAspectRatio="none"
                aria-hidden="true"
                focusable="false"
              >
                <rect class="behind" width={WIDTH} height="10" />
                <rect width={Math.round((count / counted) * WIDTH)} height="10" />
              </svg>
            </td>
            <td class="amount">{figure(count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
