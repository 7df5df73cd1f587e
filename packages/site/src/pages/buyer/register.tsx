import { Code } from '../../components/code.tsx';
import { RegisterForm } from '../../components/register-form.tsx';
import { definePage } from '../../page.ts';
import { firstCalls } from '../home/first-calls.ts';

/** Where a person gets a key, without a terminal. */
export const registerPage = definePage({
  path: '/register',
  get: ({ apiBaseUrl }) => ({
    title: 'Register',
    description: 'Get a key to buy and sell with, in ten seconds and for free.',
    scripts: ['copy', 'register'],
    main: (
      <div class="sections">
        <div class="page-head">
          <h1>Get a key</h1>
          <p class="lead">
            One key buys, sells and pays. It is free, at once, and asks for no card and no mail address.
          </p>
        </div>
        <div class="grid">
          <div class="span-8 sheet stack">
            <RegisterForm apiBaseUrl={apiBaseUrl} />
            <div id="without-script" class="stack">
              <p>This page needs scripts to show you the key. Without them:</p>
              <Code label="Shell" text={firstCalls(apiBaseUrl).curl} />
            </div>
            <p class="no-key">
              You have a key? <a href="/console">Open your console.</a>
            </p>
          </div>
          <div class="span-4 stack">
            <h2>What you can do with it</h2>
            <ul>
              <li>Try what is free, at once.</li>
              <li>Add money by card, and buy what has a price.</li>
              <li>Make further keys for your programs, each with a budget.</li>
              <li>Sell an API, data or work of your own.</li>
            </ul>
            <p class="soft">
              Whoever has the key can do all of this. Keep it where you keep passwords. Once an e-mail address
              is confirmed in your profile, a lost key can be replaced.
            </p>
          </div>
        </div>
      </div>
    ),
  }),
});
