import { nullIfUnavailable } from '../api/null-if-unavailable.ts';
import { Facts } from '../components/ledger.tsx';
import { visibleText } from '../format/text.ts';
import { definePage, type PageView, type Visit } from '../page.ts';
import { examine, type Finding } from '../verify/examine.ts';
import { examineInLog } from '../verify/examine-in-log.ts';
import { readTrustAnchors, trustAnchorsDocument } from '../verify/trust-anchors.ts';

/** Checks anything that the marketplace signed: in the browser, or on the server without scripts. */
export const verifyPage = definePage({
  path: '/verify',
  async get(visit) {
    const anchors = await readPublishedAnchors(visit);
    const signed = await readRating(visit);
    const pasted = { ...NOTHING_PASTED, pasted: signed ?? '' };
    return page(anchors, pasted, signed === null ? null : await outcomeOf(pasted, anchors));
  },
  async post(visit) {
    const { form } = visit;
    const anchorsText = form.get('trustAnchors') ?? '';
    const pasted = {
      pasted: form.get('pasted') ?? '',
      proof: form.get('proof') ?? '',
      policy: form.get('policy') ?? '',
    };
    return page(anchorsText, pasted, await outcomeOf(pasted, anchorsText));
  },
});

/** What the reader put into the fields. */
interface Pasted {
  readonly pasted: string;
  readonly proof: string;
  readonly policy: string;
}

const NOTHING_PASTED: Pasted = { pasted: '', proof: '', policy: '' };

async function outcomeOf({ pasted, proof, policy }: Pasted, anchorsText: string): Promise<Outcome> {
  const trustAnchors = readTrustAnchors(anchorsText);
  if (trustAnchors === null) return 'no_anchors';
  const findings = await examine(pasted, trustAnchors);
  if (findings === null) return 'no_json';
  const inLog = findings.length > 0 ? await examineInLog(pasted, proof, policy) : null;
  return inLog === null ? findings : [...findings, inLog];
}

/** Newer ratings move a rating down the list since its link was made. */
const NEWER = 80;
const MOST = 100;

/** The signed JSON of the rating that `?listing=…&rating=…&place=…` names, as text; null where there is none. */
async function readRating({ api, url: { searchParams } }: Visit): Promise<string | null> {
  const [listingId, id, place = ''] = ['listing', 'rating', 'place'].map(
    (name) => searchParams.get(name) ?? '',
  );
  if (!listingId || !id) return null;
  const offset = Math.max(0, (/^\d{1,6}$/.test(place) ? Number(place) : 0) - (MOST - NEWER));
  const list = await nullIfUnavailable(api.listRatings({ listingId, limit: MOST, offset }));
  const rating = list?.ratings.find((one) => one.id === id);
  return rating ? JSON.stringify({ ...rating, listingId }, null, 2) : null;
}

type Outcome = readonly Finding[] | 'no_json' | 'no_anchors';

async function readPublishedAnchors({ api }: Visit): Promise<string> {
  const [marketplace, door, schedule] = await Promise.all([
    api.getSigningKey(),
    // The door may be down. Then only its own signatures cannot be checked.
    nullIfUnavailable(api.getIngressKeys()),
    nullIfUnavailable(api.getIngressSchedule()),
  ]);
  return JSON.stringify(trustAnchorsDocument(marketplace, door, schedule), null, 1);
}

function page(trustAnchors: string, fields: Pasted, outcome: Outcome | null): PageView {
  return {
    title: 'Verify',
    description: 'Check any receipt, answer or attestation of the marketplace in your own browser, offline.',
    scripts: ['verify'],
    main: (
      <div class="sections">
        <div class="page-head">
          <h1>Verify</h1>
          <p class="lead">
            Paste anything the marketplace signed: an answer, a purchase, a rating, a listing’s history, a
            receipt of the ingress door. It is checked against the published keys, without a call to the
            marketplace.
          </p>
        </div>
        <form class="stack verify" action="/verify" method="post">
          <div class="field">
            <label for="pasted">The signed JSON, unchanged</label>
            {/* A first line break right after the tag would be dropped by browsers. */}
            <textarea id="pasted" name="pasted" rows={12} spellcheck={false} autocomplete="off" required>
              {`\n${fields.pasted}`}
            </textarea>
          </div>
          <div class="actions">
            <button type="submit">Check</button>
            <span id="where" class="soft">
              Without scripts, the server checks it and stores nothing.
            </span>
          </div>
          <div id="outcome" class="stack" role="status">
            {outcome !== null && <OutcomeView outcome={outcome} />}
          </div>
          <details open={fields.proof !== '' || fields.policy !== ''}>
            <summary>Whether it stands in the log</summary>
            <div class="field">
              <label for="proof">
                The proof: what <code>/api/log/proofs/</code> and the statement’s digest answers.
              </label>
              <textarea id="proof" name="proof" rows={6} spellcheck={false} autocomplete="off">
                {`\n${fields.proof}`}
              </textarea>
            </div>
            <div class="field">
              <label for="policy">
                Your policy: the log and the witnesses that you believe. Take their keys from elsewhere, not
                from us.
              </label>
              <textarea id="policy" name="policy" rows={4} spellcheck={false} autocomplete="off">
                {`\n${fields.policy}`}
              </textarea>
              <p class="soft">
                How to write one: <a href="/docs/transparency#whom-to-believe-a-policy">Transparency</a>.
              </p>
            </div>
          </details>
          <details>
            <summary>The keys used for the check</summary>
            <div class="field">
              <label for="trustAnchors">
                Published when you opened this page. Save them, and paste them here later to verify without
                us.
              </label>
              <textarea id="trustAnchors" name="trustAnchors" rows={10} spellcheck={false} autocomplete="off">
                {`\n${trustAnchors}`}
              </textarea>
            </div>
          </details>
        </form>
        <section class="stack" aria-labelledby="proves">
          <h2 id="proves">What a good signature proves</h2>
          <p>
            That the marketplace said this at this time, and that it was not changed since. It does not prove
            that a seller’s data is true, or that a history has no newer entries. That a receipt was logged,
            and that the past was not rewritten, is what the <a href="/docs/transparency">log</a> proves.
          </p>
        </section>
      </div>
    ),
  };
}

function OutcomeView({ outcome }: { outcome: Outcome }) {
  if (outcome === 'no_anchors')
    return <p class="note stop">The keys below are not a valid document of keys.</p>;
  if (outcome === 'no_json') {
    return <p class="note stop">This is not one complete JSON object, or it has a member twice.</p>;
  }
  if (outcome.length === 0) return <p class="note stop">Nothing in it is signed.</p>;
  return (
    <>
      {outcome.map(({ title, isValid, message, facts }) => (
        <section class={isValid ? 'finding' : 'finding bad'}>
          <h2>
            <span class="verdict">{isValid ? 'Valid' : 'Not valid'}</span> {visibleText(title)}
          </h2>
          <p>{message}</p>
          <Facts
            rows={facts.map(([label, value]) => [
              visibleText(label),
              <bdi class="mono">{visibleText(value)}</bdi>,
            ])}
          />
        </section>
      ))}
    </>
  );
}
