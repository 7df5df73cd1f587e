import { TEST_CARDS } from '../cards.ts';
import { type Reply, redirect } from '../http.ts';
import type { CheckoutSession } from '../objects.ts';
import type { EnteredCard } from '../records.ts';
import type { World } from '../world.ts';
import { type Html, html, page } from './html.ts';
import { answerBank, enterCard, planOf, type VisitOutcome } from './visits.ts';

/** The hosted page of a checkout or of a setup: GET shows it, POST is a card, or what the bank is told. */
export function checkoutPage(
  world: World,
  session: CheckoutSession,
  method: string,
  form: URLSearchParams,
): Reply {
  if (session.status !== 'open') return closed(session);
  if (method !== 'POST') return cardPage(world, session, null);
  const bankAnswer = form.get('authentication');
  if (bankAnswer) return show(world, session, answerBank(world, session, bankAnswer === 'complete'));
  const entered = readCard(form);
  return typeof entered === 'string'
    ? cardPage(world, session, entered)
    : show(world, session, enterCard(world, session, entered));
}

function show(world: World, session: CheckoutSession, outcome: VisitOutcome): Reply {
  if (outcome.kind === 'done') return redirect(outcome.redirect);
  if (outcome.kind === 'declined') return cardPage(world, session, outcome.message);
  return page(
    'Your bank asks',
    html`<p>The bank of this card wants to know that it is you.</p>
<form method="post">
<button name="authentication" value="complete">Complete</button>
<button class="quiet" name="authentication" value="fail">Fail</button>
</form>`,
  );
}

/** The card in a form, or what is wrong with it. */
function readCard(form: URLSearchParams): EnteredCard | string {
  const number = (form.get('card_number') ?? '').replace(/[\s-]/g, '');
  const [, month, year] = /^(\d{1,2})\s*\/\s*(?:20)?(\d{2})$/.exec((form.get('expiry') ?? '').trim()) ?? [];
  if (!/^\d{12,19}$/.test(number)) return 'Your card number is incomplete.';
  if (!month || !year || Number(month) < 1 || Number(month) > 12)
    return "Your card's expiration date is incomplete. Write it as 12/34.";
  if (!/^\d{3,4}$/.test(form.get('cvc') ?? '')) return "Your card's security code is incomplete.";
  const email = form.get('email') || null;
  return { number, expMonth: Number(month), expYear: 2000 + Number(year), email };
}

function cardPage(world: World, session: CheckoutSession, problem: string | null): Reply {
  const paying = session.mode === 'payment';
  const amount = `$${((session.amount_total ?? 0) / 100).toFixed(2)}`;
  const title = paying ? `Pay ${amount}` : 'Save a card';
  const plan = planOf(world, session);
  const reserved = plan.captureMethod === 'manual' ? ' The money is only reserved until delivery.' : '';
  return page(
    title,
    html`<p>${paying ? `${plan.itemName}.${reserved}` : 'Nothing is charged now.'}</p>
${problem && html`<p class="error" role="alert">${problem}</p>`}
<form method="post" autocomplete="off">
${!session.customer && paying ? emailField(session) : null}
<label>Card number <input name="card_number" inputmode="numeric" value="4242 4242 4242 4242" required></label>
<div class="row">
<label>Expiry <input name="expiry" value="12/34" required></label>
<label>CVC <input name="cvc" inputmode="numeric" value="123" required></label>
</div>
<button>${paying ? title : 'Save card'}</button>
</form>
${session.cancel_url && html`<p><a href="${session.cancel_url}">Back without ${paying ? 'paying' : 'saving'}</a></p>`}
${cardTable()}`,
    problem ? 402 : 200,
  );
}

function emailField({ customer_email }: CheckoutSession): Html {
  return html`<label>E-mail <input name="email" type="email" value="${customer_email ?? ''}"></label>`;
}

export function cardTable(): Html {
  const rows = Object.entries(TEST_CARDS).map(
    ([number, { brand, summary }]) => html`<tr><td>${number}</td><td>${brand}</td><td>${summary}</td></tr>
`,
  );
  return html`<h2>Test cards</h2>
<table><tr><th>Number</th><th>Brand</th><th>What it does</th></tr>
${rows}</table>`;
}

function closed({ status, success_url, cancel_url }: CheckoutSession): Reply {
  const back = status === 'complete' ? success_url : cancel_url;
  return page(
    status === 'complete' ? 'This page has been completed' : 'This page has expired',
    html`${back && html`<p><a href="${back}">Back</a></p>`}`,
    410,
  );
}
