import { expect, it } from 'vitest';
import { checkAlerts } from '../../../src/app/doctor/receivers.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { webhookTo } from '../../alerts/open-watch.ts';
import { openReceiver } from '../../alerts/receiver.ts';
import { writeTemporary } from '../../config/temporary-text.ts';

it('the check of alerts sends each channel a test message, and says what it has answered', async () => {
  expect(await checkAlerts(loadConfig({}))).toMatchObject([{ verdict: 'skipped' }]);
  const [one, other] = [await openReceiver(), await openReceiver()];
  Object.assign(other.answer, { status: 403, text: 'invalid_token' });
  const file = writeTemporary(`alerts:\n  channels:\n${webhookTo('ops', one.url)}\n${webhookTo('lead', other.url)}\n`);
  const checks = await checkAlerts(loadConfig({ CONFIG_FILE: file }));
  expect(checks).toMatchObject([
    { name: 'webhook ops', verdict: 'ok', found: 'answered 200: ok' },
    { name: 'webhook lead', verdict: 'failed', found: expect.stringMatching(/answered 403: invalid_token$/) },
  ]);
  expect(one.received[0]?.body.title).toBe('Test: Dockline reaches this channel');
});
