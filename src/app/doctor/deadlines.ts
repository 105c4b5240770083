import type { TenantSettings } from '../../config/tenants/tenant.ts';
import { messageOf } from '../../domain/errors.ts';
import { createDeadlines } from '../../subjects/deadlines.ts';
import type { ApiOptions } from '../../warehouse/client/api.ts';
import { readDeadlineFacts } from '../../warehouse/resources/deadline-facts.ts';
import { createWarehouse } from '../../warehouse/warehouse.ts';
import { ok, type Reporter, warning } from './check.ts';

/** Number of orders that are asked for. */
const ORDERS = 10;

/** Time for which changed orders are listed, in milliseconds. */
const LATELY_MS = 7 * 86_400_000;

/** Time before the last holiday at which those to come should be added, in milliseconds. */
const SOON_MS = 30 * 86_400_000;

/** Shows when orders of the warehouse would be due, and which rule decides. Changes nothing. */
export async function checkDeadlines(
  { check, skip }: Reporter,
  tenant: TenantSettings,
  options: Pick<ApiOptions, 'timeoutMs' | 'proxies' | 'pace'>,
): Promise<void> {
  const { callsPerSecond, deadlines } = tenant;
  if (deadlines.length === 0) return skip('rules', 'deadlines of the warehouse', 'are not set, so nothing is ever due');
  await check('holidays', 'those of the calendars', async () => judgeHolidays(tenant, Date.now()));
  if (deadlines.every(({ kind }) => kind !== 'order')) return skip('orders', 'the rules', 'are for no orders');
  const client = createWarehouse({
    ...tenant,
    ...options,
    callsPerSecond: callsPerSecond / 2,
    priority: 'sweep',
  });
  try {
    await check('orders', `the rules, with ${ORDERS} orders that were changed lately`, async (signal) => {
      const query = { kind: 'order', since: Date.now() - LATELY_MS, page: 1, pageSize: ORDERS } as const;
      const { rows } = await client.list(query, signal);
      const rules = createDeadlines([{ ...tenant, id: undefined }], readDeadlineFacts);
      const found = await Promise.all(
        rows.slice(0, ORDERS).map(({ id }) => explain({ client, rules, tenant: tenant.id ?? '' }, id, signal)),
      );
      if (found.length === 0) return ok('no order was changed in the last seven days');
      const text = found.map(({ line }) => line).join('\n');
      if (found.some(({ isDue }) => isDue)) return ok(text);
      return warning(text, 'No rule matches any of them: compare the rules with these orders (docs/deadlines.md).');
    });
  } finally {
    await client.close();
  }
}

/** Warehouse that is asked, with the rules by which its orders are due. */
interface Asked {
  readonly client: ReturnType<typeof createWarehouse>;
  readonly rules: ReturnType<typeof createDeadlines>;
  readonly tenant: string;
}

async function explain(
  { client, rules, tenant }: Asked,
  id: string,
  signal: AbortSignal,
): Promise<{ readonly line: string; readonly isDue: boolean }> {
  const subject = { tenant, kind: 'order', id } as const;
  try {
    const { snapshot, body } = await client.getSubject(subject, signal);
    const known = { customerId: snapshot.customerId, createdAt: undefined };
    const deadline = rules.find(subject, known, body);
    return { line: `order ${id}: ${deadline?.because ?? 'no rule matches'}`, isDue: deadline !== undefined };
  } catch (error) {
    return { line: `order ${id}: ${messageOf(error)}`, isDue: false };
  }
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
