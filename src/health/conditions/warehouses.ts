import { sql } from 'kysely';
import { listAddress, subjectAddress } from '../../admin/board/addresses.ts';
import { DAY_MS } from '../../base/moment.ts';
import { type Operation, resultsOf, roleOf } from '../../domain/catalogue/operation.ts';
import { recordName, subjectKey } from '../../domain/catalogue/subject.ts';
import type { Found } from '../../domain/health/incident.ts';
import { COUNTED } from '../../store/bounded-count.ts';
import { isEndangered } from '../../subjects/tables/deadlines.ts';
import { readForbidden } from '../../warehouse/tables/answers.ts';
import { type CustomerRow, type Searches, type Sources, sumUp } from '../sources.ts';
import { diagnoseWarehouses, type FailingSubject, type WarehouseFailure } from '../warehouse.ts';

const answerOf = ({ status, code }: FailingSubject): string =>
  code === 'ERR_WAREHOUSE_UNREADABLE' ? 'unreadable answers' : status === undefined ? 'no answer' : String(status);

const search =
  (
    breadth: WarehouseFailure['breadth'],
    isMeant: (newest: FailingSubject) => boolean,
    say: (failure: WarehouseFailure, answer: string) => Found,
  ) =>
  async (sources: Sources) => {
    const { failures } = await sources.once(diagnoseWarehouses);
    const meant = failures.filter((it) => it.breadth === breadth && isMeant(it.subjects[0]));
    return await Array.fromAsync(meant, async (failure) => {
      const answer = answerOf(failure.subjects[0]);
      return { ...(await describe(failure, sources)), sort: answer, ...say(failure, answer) };
    });
  };

async function describe(failure: WarehouseFailure, { reads, now }: Sources) {
  const { tenant, subjects, since } = failure;
  const held = failure.breadth === 'all' ? await countAll(failure, reads, now) : await countRead(failure, reads);
  return {
    ...held,
    unit: 'record',
    since,
    because: subjects[0].error,
    nextTryAt: Math.min(...subjects.map(({ nextTryAt }) => nextTryAt)),
    path: listAddress('/board/subjects', { attention: 'failing', tenant }),
  } as const;
}

/** Since the first of an outage; may be more than was read. */
async function countAll({ tenant, failedFrom }: WarehouseFailure, reads: Sources['reads'], now: number) {
  const { rows } = await sql<CustomerRow>`
    select customer_id as id, count(*) as count, count(case when ${isEndangered(now)} then 1 end) as "atRisk" from (
      select customer_id, at_risk_at, due_at from ${sql.table('subjects')}
      where tenant = ${tenant} and retrieving_at >= ${failedFrom} order by retrieving_at limit ${COUNTED + 1}) as held
    group by customer_id`.execute(reads);
  const all = rows.map((it) => ({ ...it, tenant, count: Number(it.count), atRisk: Number(it.atRisk) }));
  const held = (await sumUp(reads, all)).get(tenant);
  return held && { ...held, count: Math.min(held.count, COUNTED), isMore: held.count > COUNTED };
}

async function countRead({ tenant, subjects }: WarehouseFailure, reads: Sources['reads']) {
  const counts = [...Map.groupBy(subjects, ({ customerId }) => customerId)];
  const rows = counts.map(([id, all]) => ({ tenant, id, count: all.length }));
  return (await sumUp(reads, rows)).get(tenant);
}

const isRefused = ({ code }: FailingSubject): boolean => code === 'ERR_WAREHOUSE_UNAUTHENTICATED';
const isLimited = ({ status }: FailingSubject): boolean => status === 429;

/** For an operation that nobody has asked for since. */
const REMEMBERED_MS = 7 * DAY_MS;

export const ofWarehouses = {
  'credential-refused': search('all', isRefused, ({ tenant }) => ({
    place: tenant,
    title: `Warehouse ${tenant} refuses the credential`,
    ended: `warehouse ${tenant} accepts the credential again`,
  })),

  'warehouse-limiting': search('all', isLimited, ({ tenant }) => ({
    place: tenant,
    title: `Warehouse ${tenant} limits GETs (429)`,
    ended: `warehouse ${tenant} answers GETs again`,
  })),

  'warehouse-failing': search(
    'all',
    (it) => !isRefused(it) && !isLimited(it),
    ({ tenant }, answer) => ({
      place: tenant,
      title: `Warehouse ${tenant}: ${answer} to all GETs`,
      ended: `warehouse ${tenant} answers again`,
    }),
  ),

  'warehouse-partly-failing': search(
    'some',
    () => true,
    ({ tenant, subjects: [{ operation }] }, answer) => {
      const { several } = resultsOf(operation as Operation);
      return {
        place: `${tenant}/${operation}/${answer.replaceAll(' ', '-')}`,
        title: `Warehouse ${tenant}: ${answer} to some GETs of ${several}`,
        ended: `warehouse ${tenant} returns these ${several} again`,
      };
    },
  ),

  'record-failing': search(
    'one',
    () => true,
    ({ subjects: [{ subject }] }, answer) => {
      const [name, path] = [recordName(subject), subjectAddress(subject)];
      return {
        place: subjectKey(subject),
        title: `The warehouse cannot return ${name} (${answer})`,
        ended: `the warehouse returns ${name} again`,
        path,
        action: { name: 'Try again now', path: `${path.replace('/board', '')}/refresh` },
      };
    },
  ),

  async 'role-missing'({ reads, now }) {
    const forbidden = await readForbidden(reads, now - REMEMBERED_MS);
    return forbidden.map(({ tenant, operation, since }) => {
      const { several } = resultsOf(operation);
      return {
        place: `${tenant}/${operation}`,
        title: `The credential of warehouse ${tenant} may not read ${several}: no role allows “${roleOf(operation)}”`,
        ended: `the credential of warehouse ${tenant} may read ${several}`,
        because: `GETs of ${several} are answered 403`,
        since,
        path: '/board/subjects?attention=refused',
      };
    });
  },
} satisfies Searches;
