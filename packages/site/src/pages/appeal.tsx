import { MarketplaceError } from '@agent-marketplace/sdk';
import { codeOf, LINK_CODE_SCRIPT, LinkCode } from '../components/link-code.tsx';
import { notice } from '../components/notice.tsx';
import { definePage, type PageAnswer, type PageView, type Visit } from '../page.ts';
import { refusalOf } from './contact.tsx';

/** Where the notice of an operator's decision leads. Opening it changes nothing: mail scanners open links. */
export const appealPage = definePage({
  path: '/appeals/{id}',
  get: (visit) => appealForm(visit, null),
  async post(visit): Promise<PageAnswer> {
    const { api, form, params } = visit;
    const token = codeOf(visit);
    try {
      const text = (form.get('text') ?? '').trim();
      await api.createAppeal({ decisionId: params.id ?? '', token, text });
      return waitingAppeal();
    } catch (error) {
      if (!(error instanceof MarketplaceError)) throw error;
      if (error.status === 404) return closedLink();
      if (error.status === 409) return waitingAppeal();
      const refusal = refusalOf(error);
      if (refusal === null) throw error;
      return { ...appealForm(visit, refusal), status: error.status };
    }
  },
});

function appealForm(visit: Visit, refusal: string | null): PageView {
  const { url, form } = visit;
  return {
    title: 'Appeal',
    description: 'Say why an operator’s decision is wrong.',
    isPrivate: true,
    scripts: [LINK_CODE_SCRIPT],
    main: (
      <div class="sections">
        <div class="page-head">
          <h1>Appeal against a decision</h1>
          <p class="lead">
            An operator reads what you write: if there is another, not the one who decided. You can appeal
            once.
          </p>
        </div>
        {refusal !== null && (
          <p class="note stop" role="alert">
            {refusal}
          </p>
        )}
        <form class="stack half" method="post" action={url.pathname}>
          <LinkCode code={codeOf(visit)} />
          <div class="field">
            <label for="text">Why the decision is wrong</label>
            <textarea id="text" name="text" rows={8} required maxlength={2000}>
              {`\n${form.get('text') ?? ''}`}
            </textarea>
          </div>
          <div class="actions">
            <button type="submit">Appeal</button>
          </div>
        </form>
        <p class="fine">Anyone who has this link can appeal in your place: keep it private.</p>
      </div>
    ),
  };
}

function waitingAppeal(): PageView {
  return notice({
    title: 'Your appeal waits for an operator',
    heading: 'There is an appeal',
    description: 'You are told how it ends.',
    lead: 'An operator looks at it. You are told how it ends as you were told the decision.',
  });
}

function closedLink(): PageView {
  return notice({
    title: 'This link opens no decision',
    description: 'An appeal needs the link of the notice.',
    status: 404,
    lead: 'It is cut off, or the decision cannot be appealed by you.',
    next: (
      <p>
        Open the link of the notice again, or <a href="/contact">write to us</a>.
      </p>
    ),
  });
}
