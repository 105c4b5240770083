import { ApplicationFailure } from '@temporalio/common';
import { expect, it } from 'vitest';
import { advanced, needed } from './outcomes.ts';
import { type RunSubject, useRunner } from './run-subject.ts';

const runner = useRunner();

/** Half a character and U+0000: protocol buffers refuse the one, PostgreSQL the other. */
const UNSOUND = '\ud83d\0';
const LINK = '[Click](https://evil.example)';

const summariesOf = async (run: RunSubject): Promise<readonly string[]> =>
  (await run.history()).flatMap(({ userMetadata }) => {
    const { data } = userMetadata?.summary ?? {};
    return data ? [String(JSON.parse(Buffer.from(data).toString()))] : [];
  });

async function detailsOf({ workflow }: RunSubject): Promise<string> {
  const { currentDetails } = await workflow.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  return currentDetails;
}

it('texts of others reach the search attributes and the memo well formed', async () => {
  const snapshot = { referenceNumber: `R${UNSOUND}`, customerId: UNSOUND, customerName: `C${UNSOUND}` };
  const run = runner.begin({ advance: () => advanced({ revision: 1, snapshot }) });
  await run.wake([UNSOUND]);
  await expect.poll(() => run.revision()).toBe(1);
  const { typedSearchAttributes, memo } = await run.workflow.describe();
  const attributes = Object.fromEntries(typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]));
  expect(attributes).toMatchObject({ ReferenceNumber: 'R\ufffd\ufffd', Customer: '\ufffd\ufffd' });
  expect(memo).toMatchObject({ reference: 'R\ufffd\ufffd', customer: 'C\ufffd\ufffd' });
});

it('texts of others are no markup in the details and summaries', async () => {
  const snapshot = { referenceNumber: LINK, customerName: '**Acme**', facilityName: '{workflowId}\n# North' };
  const run = runner.begin({ advance: () => advanced({ revision: 1, snapshot }) });
  await run.wake([LINK]);
  await expect.poll(() => run.revision()).toBe(1);
  const link = String.raw`\[Click\](https\://evil.example)`;
  const facts = String.raw`stage **created** · revision 1 · \*\*Acme\*\* · \{workflowId\} # North`;
  expect(await detailsOf(run)).toBe(`### Order ${link}\n${facts}\n`);
  expect(await summariesOf(run)).toContain(link);
});

it('the details name a kind and its amounts in words', async () => {
  const run = runner.begin({ advance: () => advanced({ revision: 1, snapshot: { levels: { onHand: 4 } } }) });
  await run.wake();
  await expect.poll(() => run.revision()).toBe(1);
  expect(await detailsOf(run)).toContain('revision 1 · on hand 4');
});

it('the details end where an address would be too long for the UI, with the newest lines', async () => {
  const lines = Array.from({ length: 60 }, (_, index) => `- ${index} ${'é'.repeat(50)}${UNSOUND}`);
  const run = runner.begin({ advance: () => advanced({ revision: 1 }, { lines }) });
  await run.wake();
  await expect.poll(() => run.revision()).toBe(1);
  const shown = (await detailsOf(run)).split('\n').slice(3);
  expect(shown.at(-1)).toMatch(/^- 59 /);
  expect(shown.length).toBeGreaterThan(10);
  expect(encodeURIComponent(await detailsOf(run)).length).toBeLessThan(7000);
});

it('the details stay within what a proxy takes, whatever the letters of the names are', async () => {
  const snapshot = {
    referenceNumber: '漢'.repeat(300),
    customerName: '💥'.repeat(300),
    facilityName: '*\\'.repeat(300),
  };
  const lines = Array.from({ length: 60 }, (_, index) => `- ${index} ${'漢'.repeat(50)}`);
  const run = runner.begin({ advance: () => advanced({ revision: 1, snapshot }, { lines }) });
  await run.wake();
  await expect.poll(() => run.revision()).toBe(1);
  const details = await detailsOf(run);
  expect(encodeURIComponent(details).length).toBeLessThanOrEqual(7000);
  expect(details).toMatch(
    /^### Order 漢{100,}\nstage \*\*created\*\* · revision 1 · (?:💥){50,} · (?:\\\*\\\\){50,}(?:\\\*)?\n\n- \d+/,
  );
  expect(details).toMatch(/\n- 59 漢+$/);
});

it('summaries stay within what Temporal takes, whatever the names', async () => {
  const run = runner.begin({ advance: () => needed, retrieve: () => advanced({ revision: 1 }) });
  await run.wake(Array.from({ length: 20 }, (_, index) => `${index}${'*💥'.repeat(60)}`));
  await expect.poll(() => run.revision()).toBe(1);
  const summaries = await summariesOf(run);
  expect(summaries).toContainEqual(expect.stringMatching(/^getOrder for 0.+ and 19 more$/));
  expect(Math.max(...summaries.map((summary) => Buffer.byteLength(JSON.stringify(summary))))).toBeLessThan(400);
});

it('an activity may fail with any text', async () => {
  const failure = { message: UNSOUND, type: UNSOUND, cause: new Error(UNSOUND), nextRetryDelay: 1 };
  const run = runner.begin({
    advance: () => needed,
    retrieve: (_, calls) => {
      if (calls === 0) throw ApplicationFailure.create(failure);
      return advanced({ revision: 1 });
    },
  });
  await run.wake();
  await expect.poll(() => run.revision()).toBe(1);
});
