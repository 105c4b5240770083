import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UTC_OFFSET_MINUTES } from '../../../sandbox/simulator/tenant.ts';
import { weekdays } from '../../../src/domain/deadlines/calendar.ts';
import type { Milestone } from '../../../src/domain/lifecycle/milestone.ts';
import { engines, type Fault, FaultError, startLoad } from '../fault.ts';
import type { Injection } from '../injection/injection.ts';
import { untilAnnounced } from './announced.ts';

const MINUTE_MS = 60_000;

/** Fault in which orders wait for too long. */
interface WaitingOrders
  extends Required<Pick<Fault, 'name' | 'description' | 'inject' | 'told'>>,
    Pick<Fault, 'alerts'> {
  /** Milestones of the clock: what they are announced as while they wait, and once they were shipped. */
  readonly late: Milestone;
  readonly over: Milestone;
  /** Time from their creation to their announcement, in milliseconds. */
  readonly withinMs: number;
}

/** Creates a fault in which orders wait under load, until they are announced as late once each, and as over once they are shipped. */
const waitingOrders = ({ late, over, withinMs, ...rest }: WaitingOrders): Fault => ({
  ...rest,
  needs: engines,
  mayRepeat: false,

  async run(context) {
    const { fixture, say, untilHealthy, endure, settle } = context;
    const { simulator } = fixture;
    const stopLoad = startLoad(simulator);
    await untilHealthy();
    const ids = Array.from({ length: 3 }, () => simulator.createOrder());
    for (const id of ids) await simulator.emit(id, 'OrderCreate');
    say(rest.description);
    // What is at risk is so only until it is late.
    await endure();
    const countOf = await untilAnnounced(context, { ids, milestone: late, withinMs });
    for (const id of ids) await simulator.emit(id, 'OrderConfirm');
    await stopLoad();
    await settle();
    const counts = [countOf(late), countOf(over)];
    if (counts.some((count) => count !== ids.length))
      throw new FaultError(
        `${ids.length} orders waited: ${counts.join(' and ')} were announced as ${late} and ${over}`,
      );
  },
});

/** Time from the preparation to the cut-off: longer than the processes take to start. A cut-off has minutes. */
const CUT_OFF_MS = 2 * MINUTE_MS;

/** Orders that miss their cut-off are announced as overdue once each, and as recovered once they are shipped. */
export const lateOrders = waitingOrders({
  name: 'orders-late',
  description: 'orders miss their cut-off, and are shipped later',
  told: ['at-risk', 'overdue'],
  inject: setCutOff,
  late: 'overdue',
  over: 'recovered',
  withinMs: CUT_OFF_MS + 2 * MINUTE_MS,
});

/** Orders that stay in their stage for too long are announced as stalled once each, and as resumed once they are shipped. */
export const stalledOrders = waitingOrders({
  name: 'orders-stalled',
  description: 'orders stay in their stage for too long, and are shipped later',
  told: ['stalled'],
  inject: async () => ({ args: [], env: { ORDER_STAGE_LIMITS: 'created=20000' } }),
  late: 'stalled',
  over: 'resumed',
  withinMs: 2 * MINUTE_MS,
});

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
          // Six hours behind UTC, as the simulated warehouse is, the whole year.
          timeZone: 'America/Costa_Rica',
          cutOffs: Object.fromEntries(weekdays.map((day) => [day, clock])),
        },
      },
      deadlines: [{ name: 'same day', calendar: 'always', due: 'sameDay', by: clock, atRiskMs: MINUTE_MS }],
    }),
  );
  return { args: [], env: { CONFIG_FILE: file } };
}
