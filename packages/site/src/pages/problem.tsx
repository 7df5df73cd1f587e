import { listProblems, type ProblemEntry } from '../api/problems.ts';
import { Facts } from '../components/ledger.tsx';
import { Prose } from '../components/text.tsx';
import { definePage } from '../page.ts';
import { notFoundPage } from '../page-errors.tsx';

/** One error: what it means and what to do. */
export const problemPage = definePage({
  path: '/problems/{code}',
  async get({ api, params }) {
    const problems = await listProblems(api);
    const problem = problems.find(({ code }) => code === params.code);
    if (!problem) return notFoundPage('The marketplace has no error with this code.');
    return {
      title: problem.code,
      description: problem.title,
      main: <Problem problem={problem} />,
    };
  },
});

function Problem({ problem }: { problem: ProblemEntry }) {
  const { code, title, remedy, status, kind, retryable } = problem;
  return (
    <article class="stack">
      <p>
        <a href="/problems">All errors</a>
      </p>
      <h1>
        <Prose text={title} />
      </h1>
      <Facts
        rows={[
          ['Code', <code>{code}</code>],
          ['HTTP status', `${status}, ${kind.replaceAll('_', ' ')}`],
          ['Retry', retryable ? 'The same request may succeed later.' : 'The same request will fail again.'],
        ]}
      />
      <h2>What to do</h2>
      <p class="note">
        <Prose text={remedy} />
      </p>
      <h2>Operations that return it</h2>
      <Operations problem={problem} />
    </article>
  );
}

function Operations({ problem: { operations } }: { problem: ProblemEntry }) {
  if (operations === null) return <p>Any operation may return it.</p>;
  return (
    <ul>
      {operations.map(({ name, route }) => (
        <li>
          <a href={`/docs/api/${encodeURIComponent(name)}`}>{name}</a> <code>{route}</code>
        </li>
      ))}
    </ul>
  );
}
