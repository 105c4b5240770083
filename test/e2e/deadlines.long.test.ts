import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startSystem } from '../support/system.ts';
import { openFolder } from '../support/temporal-server.ts';

const HOUR_MS = 3_600_000;

const DAY_MS = 24 * HOUR_MS;

/** Time to the moment at which the order of the test is at risk: it is open by then, and it does not matter if it is not. */
const SOON_MS = 10_000;

/** Hours by which the warehouse is ahead of UTC: where it is not about midnight. */
const AHEAD = new Date().getUTCHours() >= 12 ? -9 : 0;

/** Writes rules by which orders are due at the end of the day on which they were created, and at risk soon. */
function writeRules(folder: string): string {
  const file = join(folder, 'deadlines.yaml');
  const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
    .map((name) => `${name}: "24:00"`)
    .join(', ');
  const localMs = (Date.now() + AHEAD * HOUR_MS) % DAY_MS;
  writeFileSync(
    file,
    `calendars:
  always:
    timeZone: ${AHEAD === 0 ? 'UTC' : 'Pacific/Gambier'}
    cutOffs: { ${days} }
deadlines:
  - { name: same day, calendar: always, due: sameDay, atRiskMs: ${DAY_MS - localMs - SOON_MS} }
`,
  );
  return file;
}

it('an order is announced as at risk when the time comes, and as recovered once it is shipped', async () => {
  const folder = await openFolder();
  const system = await startSystem({
    env: { CONFIG_FILE: writeRules(folder) },
    simulator: { utcOffsetMinutes: AHEAD * 60 },
  });
  const { simulator, announced, receiver, service, workflowId } = system;
  const workflow = (id: string) => service().webhook.client.workflow.getHandle(workflowId(id));
  const open = simulator.createOrder();
  await simulator.emit(open, 'OrderCreate');
  await expect.poll(() => announced(open)).toEqual(['1/created', '2/atRisk']);
  await expect
    .poll(async () => (await workflow(open).describe()).typedSearchAttributes.getAll().map(({ key }) => key.name))
    .toEqual(expect.arrayContaining(['DueAt', 'Lateness']));
  await simulator.emit(open, 'OrderConfirm');
  await expect.poll(() => announced(open)).toEqual(['1/created', '2/atRisk', '3/confirmed', '4/recovered']);
  expect(receiver.tally()).toMatchObject({ duplicates: 0, outOfOrder: 0 });
});
