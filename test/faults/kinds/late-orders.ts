import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { weekdays } from '../../../src/domain/deadlines/calendar.ts';
import { UTC_OFFSET_MINUTES } from '../../../src/sandbox/simulator/tenant.ts';
import { type Fault, FaultError, startLoad } from '../fault.ts';
import type { Injection } from '../injection/injection.ts';

const MINUTE_MS = 60_000;

/** Time from the preparation to the cut-off: longer than the processes take to start. A cut-off has minutes. */
const CUT_OFF_MS = 2 * MINUTE_MS;

/** Time in which the orders that missed the cut-off are announced as overdue. */
const OVERDUE_WITHIN_MS = CUT_OFF_MS + 2 * MINUTE_MS;

/** Orders that miss their cut-off are announced as overdue once each, and as recovered once they are shipped. */
export const lateOrders: Fault = {
  name: 'orders-late',
  description: 'orders miss their cut-off, and are shipped later',
  needs: ['sqlite'],
  mayRepeat: false,
  alerts: ['DocklineSubjectsOverdue'],
  inject: setCutOff,

  async run({ fixture: { simulator, receiver }, say, untilHealthy, endure, settle, signal }) {
    const stopLoad = startLoad(simulator);
    await untilHealthy();
    const late = Array.from({ length: 3 }, () => simulator.createOrder());
    for (const id of late) await simulator.emit(id, 'OrderCreate');
    const countOf = (milestone: string) =>
      receiver.received().filter(({ id }) => late.some((it) => id.includes(`:${it}/`)) && id.endsWith(milestone))
        .length;
    const until = Date.now() + OVERDUE_WITHIN_MS;
    while (countOf('/overdue') < late.length) {
      if (Date.now() > until)
        throw new FaultError(`${countOf('/overdue')} of ${late.length} were announced as overdue`);
      await pause(500, undefined, { signal });
    }
    say(this.description);
    await endure();
    for (const id of late) await simulator.emit(id, 'OrderConfirm');
    await stopLoad();
    await settle();
    const counts = [countOf('/overdue'), countOf('/recovered')];
    if (counts.some((count) => count !== late.length))
      throw new FaultError(
        `${late.length} orders were late: ${counts.join(' and ')} were announced as overdue and recovered`,
      );
  },
};

/** Gives the warehouse a cut-off soon, or at midnight if that is earlier. */
async function setCutOff(folder: string): Promise<Injection> {
  const local = Date.now() + UTC_OFFSET_MINUTES * MINUTE_MS;
  const at = new Date(Math.ceil((local + CUT_OFF_MS) / MINUTE_MS) * MINUTE_MS);
  const isToday = at.getUTCDate() === new Date(local).getUTCDate();
  const clock = isToday ? at.toISOString().slice(11, 16) : '24:00';
  const file = join(folder, 'deadlines.yaml');
  await writeFile(
    file,
    JSON.stringify({
      calendars: {
        always: {
          timeZone: `Etc/GMT+${-UTC_OFFSET_MINUTES / 60}`,
          cutOffs: Object.fromEntries(weekdays.map((day) => [day, clock])),
        },
      },
      deadlines: [{ name: 'same day', calendar: 'always', due: 'sameDay', by: clock, atRiskMs: 0 }],
    }),
  );
  return { args: [], env: { DEADLINES_FILE: file } };
}
