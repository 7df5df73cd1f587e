import { expect, it } from 'vitest';
import { createStory, StepFailed } from './story.ts';

function tell(isTTY: boolean, environment: Record<string, string> = {}) {
  let text = '';
  const story = createStory({ isTTY, write: (more) => (text += more) }, environment);
  story.chapter('First');
  story.fact('colour', 'blue');
  story.page('/sky');
  story.check(true, 'the sky is above');
  return { story, text: () => text };
}

it('numbers chapters and aligns facts', () => {
  expect(tell(false).text()).toBe(
    '\n 1  First\n    colour          blue\n    page            /sky\n    ✓ the sky is above\n',
  );
});

it.each([
  [false, {}, false],
  [true, {}, true],
  [true, { NO_COLOR: '1' }, false],
  [true, { TERM: 'dumb' }, false],
])('has colours only where they are welcome: terminal %s, %j', (isTTY, environment, coloured) => {
  expect(tell(isTTY, environment).text().includes('\u001b[')).toBe(coloured);
});

it('ends at what does not hold', () => {
  const { story } = tell(false);
  expect(() => story.check(false, 'pigs fly')).toThrow(StepFailed);
});
