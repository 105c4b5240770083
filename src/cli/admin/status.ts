import type { z } from 'zod';
import type { status } from '../../health/views/status.ts';
import { describeAnswer, facts, NOTHING, page } from './layout.ts';

export function describeStatus({
  incidents,
  inbox,
  failing,
  announcements,
  attention,
  due,
  subjects,
}: z.input<typeof status>) {
  const marked = Object.entries(attention).map(([name, count]) => `${count} ${name}`);
  const wrong = incidents.map(({ title: incident, since, count: waiting }) => ({ incident, since, waiting }));
  const lists = {
    Incidents: wrong,
    Failing: failing,
    Subjects: subjects,
    'Quarantined events': inbox.quarantinedByReason,
  };
  return [
    facts([
      ['inbox', `${inbox.waiting} waiting, ${inbox.quarantined} quarantined`],
      ['oldest waiting', inbox.oldestReceivedAt],
      ['announcements', `${announcements.unsent} unsent, ${announcements.deadLettered} dead-lettered`],
      ['attention', marked.join(', ')],
      ['due', `${due.overdue} overdue, ${due.willMiss} will miss, ${due.atRisk} at risk, ${due.soon} within 24 hours`],
    ]),
    ...Object.entries(lists).flatMap(([title, items]) =>
      items.length > 0 || items === subjects ? [`${title}\n${page({ items })}`] : [],
    ),
  ].join('\n\n');
}

export const describeHealth = ({ incidents, ...health }: { readonly incidents: readonly object[] }): string =>
  `${describeAnswer(health)}\n\n${page({ items: incidents }, ['name', 'title', 'count', 'unit', 'since', 'acknowledged'])}`;

/** Without the counts that the board draws. */
export const describeDestination = ({
  results: _,
  lastFailure,
  ...destination
}: {
  readonly results: unknown;
  readonly lastFailure: object | null;
}): string => describeAnswer({ ...destination, ...(lastFailure && { lastFailure: [lastFailure] }) });

export function describeAlerts(answer: {
  readonly watchedAt: string | null;
  readonly alerts: readonly object[];
}): string {
  const { watchedAt, alerts } = answer;
  const shown = describeAnswer(answer);
  return [
    ...(watchedAt === null ? ['Nobody is notified: no channel is configured (alerts in CONFIG_FILE).'] : []),
    ...(alerts.length === 0 ? ['Nothing is wrong.'] : []),
    ...(shown === NOTHING ? [] : [shown]),
  ].join('\n\n');
}

export const describeNames = (names: { readonly unknown: readonly object[] }): string =>
  [
    ...(names.unknown.length === 0 ? ['Every name is known, accepted or ignored.'] : []),
    ...[describeAnswer(names)].filter((shown) => shown !== NOTHING),
  ].join('\n\n');
