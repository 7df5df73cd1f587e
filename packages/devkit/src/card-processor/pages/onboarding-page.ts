import { type Reply, redirect } from '../http.ts';
import type { Account } from '../objects.ts';
import type { OnboardingLink } from '../records.ts';
import { seconds, type World } from '../world.ts';
import { html, page } from './html.ts';

/** The hosted page where a seller connects payouts. Its link opens once, and not for long. */
export function onboardingPage(
  world: World,
  link: OnboardingLink,
  method: string,
  form: URLSearchParams,
): Reply {
  const account = world.state.accounts[link.account];
  const dead = link.state === 'used' || (method !== 'POST' && link.state === 'visited');
  if (!account || dead || link.expiresAt <= seconds(world)) return redirect(link.refreshUrl);
  if (method !== 'POST') {
    link.state = 'visited';
    return show(account, null);
  }
  const outcome = form.get('outcome') ?? 'complete';
  if (outcome !== 'leave') {
    const name = (form.get('legal_name') ?? '').trim();
    if (name === '') return show(account, 'Enter a name.');
    complete(account, outcome === 'pending');
    world.emit('account.updated', account, account.id);
  }
  link.state = 'used';
  return redirect(link.returnUrl);
}

function complete(account: Account, pending: boolean): void {
  account.details_submitted = true;
  account.payouts_enabled = !pending;
  if (account.capabilities.transfers) account.capabilities.transfers = pending ? 'pending' : 'active';
  account.requirements = {
    currently_due: [],
    disabled_reason: pending ? 'requirements.pending_verification' : null,
  };
}

function show(account: Account, problem: string | null): Reply {
  return page(
    'Connect payouts',
    html`<p>Country: ${account.country}. Nothing entered here is checked or sent anywhere.</p>
${problem && html`<p class="error" role="alert">${problem}</p>`}
<form method="post" autocomplete="off">
<label>Legal name <input name="legal_name" value="Test Seller" required></label>
<label>Bank account <input name="bank_account" value="000123456789"></label>
<button name="outcome" value="complete">Submit: payouts are enabled at once</button>
<button class="quiet" name="outcome" value="pending">Submit: verification stays pending</button>
<button class="quiet" name="outcome" value="leave" formnovalidate>Leave without submitting</button>
</form>`,
    problem ? 422 : 200,
  );
}
