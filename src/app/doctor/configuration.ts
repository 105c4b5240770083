import { type Config, loadConfig } from '../../config/config.ts';
import type { TenantSettings } from '../../config/tenants/tenant.ts';
import { collectionOf } from '../../domain/catalogue/subject.ts';
import { messageOf } from '../../domain/errors.ts';
import { mainKind } from '../../domain/kinds/kinds.ts';
import { createDeadlines } from '../../subjects/deadlines.ts';
import { examine, failed, ok, type Reporter, warning } from './check.ts';
import type { WarehouseClient } from './warehouse.ts';

const ORDERS = 10;

const LATELY_MS = 7 * 86_400_000;

/** Before the last holiday; then those to come should be added. */
const SOON_MS = 30 * 86_400_000;

export async function checkDeadlines(
  { check, skip }: Reporter,
  tenant: TenantSettings,
  client: WarehouseClient,
): Promise<void> {
  const { id, deadlines } = tenant;
  if (deadlines.length === 0) return skip('rules', 'deadlines of the warehouse', 'are not set, so nothing is ever due');
  await check('holidays', 'those of the calendars', async () => judgeHolidays(tenant, Date.now()));
  if (deadlines.every(({ kind }) => kind !== mainKind))
    return skip(collectionOf[mainKind], 'the rules', 'are for no orders');
  await check(collectionOf[mainKind], `the rules, with ${ORDERS} orders that were changed lately`, async (signal) => {
    const query = { kind: mainKind, since: Date.now() - LATELY_MS, page: 1, pageSize: ORDERS } as const;
    const { rows } = await client.list(query, signal);
    const rules = createDeadlines([tenant]);
    const reasons = await Promise.all(
      rows.slice(0, ORDERS).map(async ({ id: order }) => {
        const subject = { tenant: id, kind: mainKind, id: order } as const;
        const found = client.getSubject(subject, signal).then(({ snapshot: { customerId }, body }) => {
          const deadline = rules.find(subject, { customerId, createdAt: undefined }, body);
          return [deadline !== undefined, deadline?.because ?? 'no rule matches'] as const;
        });
        const [isDue, because] = await found.catch((error) => [false, messageOf(error)] as const);
        return { isDue, line: `order ${order}: ${because}` };
      }),
    );
    if (reasons.length === 0) return ok('no order was changed in the last seven days');
    const text = reasons.map(({ line }) => line).join('\n');
    if (reasons.some(({ isDue }) => isDue)) return ok(text);
    return warning(text, 'No rule matches any of them: compare the rules with these orders (docs/deadlines.md).');
  });
}

function judgeHolidays({ deadlines }: Pick<TenantSettings, 'deadlines'>, now: number) {
  const calendars = new Map(deadlines.map(({ calendar }) => [calendar.name, calendar]));
  const ending = [...calendars.values()].flatMap(({ name, holidays }) => {
    const last = holidays.toSorted().at(-1);
    return last !== undefined && Date.parse(last) < now + SOON_MS ? [`the last holiday of ${name} is ${last}`] : [];
  });
  return ending.length > 0
    ? warning(ending.join(', '), 'Add the holidays to come.')
    : ok('go on for a month, or there are none');
}

export async function checkConfiguration(
  { env, source }: { readonly env: Readonly<Record<string, string | undefined>>; readonly source: string },
  stop: AbortSignal,
) {
  let config: Config | undefined;
  const results = await examine({ area: 'configuration', tenant: null, timeoutMs: 1000, stop }, async ({ check }) => {
    config = await check<Config>('settings', source, async () => {
      try {
        const parsed = loadConfig(env);
        return { ...judgeSettings(parsed), value: parsed };
      } catch (error) {
        return failed(
          messageOf(error),
          'Correct the settings that are named; .env.example and docs/configuration.md describe them.',
        );
      }
    });
  });
  return { config, results };
}

function judgeSettings({ tenants, notices }: Config) {
  const whose =
    tenants.length > 0 ? tenants.map(({ id }) => id).join(', ') : 'simulated: WAREHOUSE_BASE_URL is not set';
  if (notices.length === 0) return ok(`are valid; the warehouse is ${whose}`);
  const judge = tenants.every(({ destinations }) => destinations.length > 0) ? warning : failed;
  return judge(notices.join(' '), 'Correct or remove the variables that are named.');
}
