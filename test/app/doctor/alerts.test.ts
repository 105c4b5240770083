import { expect, it } from 'vitest';
import { webhookTo } from '../../alerts/open-watch.ts';
import { openReceiver } from '../../alerts/receiver.ts';
import { writeTemporary } from '../../config/temporary-text.ts';
import { openExamined } from './examining.ts';

it('the check of alerts sends each channel a test message, and says what it has answered', async () => {
  const { examine } = await openExamined();
  expect(await examine(['alerts'])).toMatchObject([{ verdict: 'skipped' }]);
  const [one, other] = [await openReceiver(), await openReceiver()];
  Object.assign(other.answer, { status: 403, text: 'invalid_token' });
  const file = writeTemporary(`alerts:\n  channels:\n${webhookTo('ops', one.url)}\n${webhookTo('lead', other.url)}\n`);
  const checks = await examine(['alerts'], { CONFIG_FILE: file });
  expect(checks).toMatchObject([
    {
      verdict: 'ok',
      tried: expect.stringMatching(/^test message by webhook ops, to 127\.0\.0\.1:\d+$/),
      found: 'answered 200: ok',
    },
    { verdict: 'failed', found: expect.stringMatching(/answered 403: invalid_token$/) },
  ]);
  expect(one.received[0]?.body.title).toBe('Test: Dockline reaches this channel');
});
