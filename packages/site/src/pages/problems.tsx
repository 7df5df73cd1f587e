import { listProblems, type ProblemEntry } from '../api/problems.ts';
import { Prose } from '../components/text.tsx';
import { definePage } from '../page.ts';

/** The list of all errors. */
export const problemsPage = definePage({
  path: '/problems',
  async get({ api }) {
    const problems = await listProblems(api);
    return {
      title: 'Errors',
      description: 'Every error the marketplace returns, what it means and what to do.',
      main: (
        <>
          <div class="page-head">
            <h1>Errors</h1>
            <p class="lead">
              Each error is a problem document (RFC 9457). Its <code>code</code> is one of these{' '}
              {problems.length}, and it is signed like every other answer.
            </p>
          </div>
          <ul class="entries">
            {problems.map((problem) => (
              <Entry problem={problem} />
            ))}
          </ul>
        </>
      ),
    };
  },
});

function Entry({ problem: { code, status, retryable, title } }: { problem: ProblemEntry }) {
  return (
    <li class="entry">
      <div class="entry-what">
        <a href={`/problems/${encodeURIComponent(code)}`}>
          <code>{code}</code>
        </a>
        <p>
          <Prose text={title} />
        </p>
      </div>
      <p class="fine amount">
        {status}
        {retryable && (
          <>
            <br />
            try again
          </>
        )}
      </p>
    </li>
  );
}
