import type { Config } from '../../config/config.ts';
import type { TenantSettings } from '../../config/tenants/tenant.ts';
import { messageOf } from '../../domain/errors.ts';
import { factsOf } from '../../domain/health/condition.ts';
import { type Found, reasonIn } from '../../domain/health/incident.ts';
import { ofMachine } from '../../health/conditions/machine.ts';
import type { IncidentRow } from '../../health/views/incidents.ts';
import { readMachine } from '../health.ts';
import { type Finding, failed, ok, type Reporter, skipped, warning } from './check.ts';
import type { StoreState } from './store.ts';

/** Conditions of the machine that can be asked before the start: what is looked at, and what is said of it while it is well. */
const asked = [
  ['clock-wrong', 'the dates that servers of the warehouse answer', 'no clock is wrong'],
  ['disk-nearly-full', 'the disk of DATA_FOLDER', 'has space'],
  ['certificate-expiring', 'the client certificates', 'none expires soon'],
] as const;

export async function checkMachine(
  { check }: Reporter,
  config: Config,
  tenants: readonly TenantSettings[],
): Promise<void> {
  const sources = { machine: readMachine({ config, tenants }), now: Date.now(), timeZone: 'UTC' };
  await Promise.all(
    asked.map(([condition, tried, well]) =>
      check(condition, tried, async () => {
        const [first, ...more]: readonly Found[] = await ofMachine[condition](sources);
        if (!first) return ok(well);
        const title = [first, ...more].map((it) => it.title).join('; ');
        return judge({ isUrgent: false, ...factsOf(condition), title, lastAnswer: first.because ?? null });
      }),
    ),
  );
}

type Known = Pick<IncidentRow, 'name' | 'title' | 'isUrgent' | 'help' | 'lastAnswer'>;

export type ReadIncidents = () => Promise<readonly Known[]>;

export async function checkIncidents(
  { check }: Reporter,
  readRunning: ReadIncidents,
  inspect: () => Promise<StoreState>,
): Promise<void> {
  const incidents = await check<readonly Known[]>(
    'incidents',
    'the Dockline that runs, or else the store',
    async () => {
      const say = (found: readonly Known[], where: string) =>
        ok(found.length === 0 ? `nothing is wrong${where}` : `${found.length} open${where}`, found);
      try {
        return say(await readRunning(), '');
      } catch (error) {
        const store = await inspect().catch(() => undefined);
        return store?.state === 'open' ? say(store.incidents, ', as the store shows') : skipped(messageOf(error));
      }
    },
  );
  for (const it of incidents ?? []) await check(it.name, 'incident', async () => judge(it));
}

function judge({ title, isUrgent, help, lastAnswer }: Omit<Known, 'name'>): Finding {
  const reason = reasonIn({ because: lastAnswer, title });
  const found = reason === null ? title : `${title}: ${reason}`;
  return (isUrgent ? failed : warning)(found, help);
}
