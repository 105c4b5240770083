import { expect, it } from 'vitest';
import { checkConfiguration } from '../../../src/app/doctor/configuration.ts';
import { unreachable } from '../../support/warehouse-variables.ts';

const never = new AbortController().signal;

it('settings with several faults are shown with all of them', async () => {
  const env = { ...unreachable, WEBHOOK_PROT: '8080' };
  const { results } = await checkConfiguration({ env, source: 'the environment' }, never);
  expect(results).toMatchObject([
    {
      verdict: 'failed',
      found:
        'WEBHOOK_PROT is not known. Is it meant to be WEBHOOK_PORT? Announcements go to the embedded receiver, which acknowledges and forgets them: set ANNOUNCE_URL, or announce in the file of settings.',
      advice: 'Correct or remove the variables that are named.',
    },
  ]);
});

it('settings that have no effect are a warning', async () => {
  const env = { WAREHOUSE_TENANT: '9104' };
  const { results } = await checkConfiguration({ env, source: 'the environment' }, never);
  expect(results).toMatchObject([
    { verdict: 'warning', found: expect.stringContaining('WAREHOUSE_TENANT has no effect without WAREHOUSE_BASE_URL') },
  ]);
});

it('a real warehouse whose announcements would be forgotten is a failure by itself', async () => {
  const { results } = await checkConfiguration({ env: unreachable, source: 'the environment' }, never);
  expect(results).toMatchObject([
    { verdict: 'failed', found: expect.stringContaining('the embedded receiver, which') },
  ]);
});
