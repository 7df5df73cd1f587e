import type { Operations } from '@agent-marketplace/sdk';
import { Pager } from '../../components/pager.tsx';
import { Stars } from '../../components/stars.tsx';
import { SellerProse } from '../../components/text.tsx';
import { Day } from '../../components/time.tsx';

type RatingList = Operations['listRatings']['output'];

const PAGE_SIZE = 10;

/** The page of ratings that an address asks for: `?ratings=10` skips the first ten. */
export function ratingsPage(query: URLSearchParams): { readonly limit: number; readonly offset: number } {
  const text = query.get('ratings') ?? '';
  return { limit: PAGE_SIZE, offset: /^\d{1,6}$/.test(text) ? Number(text) : 0 };
}

export function Ratings({ ratings: list, address }: { ratings: RatingList; address: string }) {
  const { average, ratings, total } = list;
  return (
    <section class="stack" aria-labelledby="ratings">
      <h2 id="ratings">Ratings</h2>
      <p>
        <Stars value={average} count={total} />
      </p>
      {total > 0 && (
        <p class="soft">
          From buyers who paid, without their names. You can <a href="/verify">verify</a> the attestation of
          each rating.
        </p>
      )}
      <ul class="entries">
        {ratings.map(({ id, rating, comment, removed, updatedAt }) => (
          <li class="entry">
            <div class="entry-what">
              <Stars value={rating} />
              {comment !== null && <SellerProse text={comment} />}
              {removed && <p class="soft">Removed by an operator. It does not count.</p>}
            </div>
            <p class="fine">
              <Day iso={updatedAt} />
              {!removed && (
                <>
                  {' · '}
                  <a
                    href={`/contact?category=report&subject=rating%20${id}%20`}
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
