import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import type { z } from 'zod';
import { describeActor } from '../../admin/audit.ts';
import { plural } from '../../base/text.ts';
import { withoutSubject } from '../../domain/catalogue/subject.ts';
import { describeGets } from '../../domain/lifecycle/gets.ts';
import { describeRefusal } from '../../domain/lifecycle/refusal.ts';
import type { status } from '../../health/views/status.ts';
import { describeErased } from '../../subjects/actions.ts';
import type { noteRow } from '../../subjects/views/subject/notes.ts';
import type { shownSubject } from '../../subjects/views/subject/read.ts';
import { createCommand } from '../command.ts';
import { clean } from '../output.ts';
import { openTerminal, type Person } from '../terminal.ts';
import { addCallCommands, groups } from './call-commands.ts';
import { type AdminClient, createAdminClient, readTarget } from './client.ts';
import { addEraseCommand } from './erase.ts';
import { describeAnswer, facts, NOTHING, page, type Show } from './layout.ts';

type Subject = z.input<typeof shownSubject>;

function describeSubject({
  announcements,
  retrievals,
  webhooks,
  waitingWebhooks,
  notes,
  erasures,
  ...subject
}: Subject) {
  const timeline = [
    ...webhooks.map(
      ({ receivedAt, event, eventId, observedAt }) =>
        `${receivedAt} webhook ${event ?? ''} (${eventId})${observedAt === null ? ' waits to be recorded' : ''}`,
    ),
    ...retrievals.map((it) => `${it.at} ${describeRetrieval(it)}`),
    ...announcements.map((it) => `${it.createdAt} ${describeAnnouncement(it)}`),
  ].map(clean);
  const unsent = announcements.filter(({ state }) => state === 'unsent').length;
  const { tenant, kind, id, stage, stageSince: since, retrieving, announcing, customerId: customer } = subject;
  const { facilityId: facility, referenceNumber: reference, revision } = subject;
  return [
    facts([
      ...Object.entries({ tenant, kind, id, stage, since, attention: subject.attention.join(', ') }),
      ...[retrieving, announcing].flatMap((it) => (it ? [['failing', describeFailure(it)] as const] : [])),
      ...subject.refused.map((refusal) => ['refused', describeRefusal(refusal)] as const),
      ['taken', subject.takenBy && `by ${subject.takenBy} at ${subject.takenAt}`],
      ['waiting', `${plural(waitingWebhooks.length, 'event')}, ${plural(unsent, 'announcement')}`],
      ...Object.entries({ customer, facility, reference, revision }),
      ...Object.entries({ due: subject.dueAt, because: subject.dueBecause }),
      ...Object.entries({ 'last event': subject.lastEventAt, updated: subject.updatedAt }),
      ...erasures.map((it) => ['erased', `${it.at} by ${it.by}: ${describeErased(it)}`] as const),
    ]),
    ...(notes.length > 0 ? [`Notes\n${notes.map(describeNote).join('\n')}`] : []),
    `Timeline\n${timeline.sort().join('\n') || 'Nothing.'}`,
    `Announcements\n${page({ items: announcements })}`,
  ].join('\n\n');
}

const describeRetrieval = ({ gets, refused, failure }: Subject['retrievals'][number]): string =>
  [
    failure === null ? describeGets(gets) : `failed at first: ${describeRefusal(failure)}`,
    ...refused.map((it) => `refused: ${describeRefusal(it)}`),
  ].join(' · ');

const describeAnnouncement = ({ id, destination, state }: Subject['announcements'][number]): string =>
  `${withoutSubject(id)} ${destination === null ? 'for no destination' : `to ${destination}: ${state}`}`;

const describeFailure = ({ attempts, ...it }: NonNullable<Subject['retrieving']>): string =>
  `${it.operation}: ${it.error} (${plural(attempts, 'attempt')} since ${it.since}, next at ${it.nextTryAt})`;

const describeNote = ({ id, at, token, operator, text }: z.input<typeof noteRow>): string =>
  clean(`#${id} ${at} ${describeActor({ token, operator })}: ${text.replaceAll('\n', '\n  ')}`);

function describeStatus({
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

const describeHealth = ({ incidents, ...health }: { readonly incidents: readonly object[] }): string =>
  `${describeAnswer(health)}\n\n${page({ items: incidents }, ['name', 'title', 'count', 'unit', 'since', 'acknowledged'])}`;

/** Without the counts that the board draws. */
const describeDestination = ({
  results: _,
  lastFailure,
  ...destination
}: {
  readonly results: unknown;
  readonly lastFailure: object | null;
}): string => describeAnswer({ ...destination, ...(lastFailure && { lastFailure: [lastFailure] }) });

function describeAlerts(answer: { readonly watchedAt: string | null; readonly alerts: readonly object[] }): string {
  const { watchedAt, alerts } = answer;
  const shown = describeAnswer(answer);
  return [
    ...(watchedAt === null ? ['Nobody is notified: no channel is configured (alerts in CONFIG_FILE).'] : []),
    ...(alerts.length === 0 ? ['Nothing is wrong.'] : []),
    ...(shown === NOTHING ? [] : [shown]),
  ].join('\n\n');
}

const describeNames = (names: { readonly unknown: readonly object[] }): string =>
  [
    ...(names.unknown.length === 0 ? ['Every name is known, accepted or ignored.'] : []),
    ...[describeAnswer(names)].filter((shown) => shown !== NOTHING),
  ].join('\n\n');

/** Without a person, nothing is asked. */
export function createAdminCommand(client: AdminClient, output: Writable, person?: Person): Command {
  const admin = createCommand('dockline admin', 'Inspects and controls a running Dockline.')
    .usage('<command> [options]')
    .addHelpText(
      'after',
      `
Lists contain no bodies. A single event or announcement is shown with its body, which may contain personal data.
ADMIN_URL sets the address of Dockline (default http://127.0.0.1:ADMIN_PORT), ADMIN_TOKEN its token.
Exits with 0 on success, 1 on failure and 2 if the command line is invalid.`,
    );
  const print = (answer: unknown, describe: (answer: unknown) => string) =>
    void output.write(`${admin.opts().json ? JSON.stringify(answer) : describe(answer)}\n`);
  const pass = (bytes: AsyncIterable<Uint8Array>) => pipeline(bytes, output, { end: false });
  const show: Show = Object.assign(print, { pass });
  admin
    .command('bulk')
    .description('Refreshes, resends, replays or reprocesses everything that a filter names')
    .helpGroup(groups.act)
    .helpCommand(false);
  addCallCommands(admin, {
    client,
    show,
    formats: {
      getStatus: describeStatus,
      getSubject: describeSubject,
      addNote: describeNote,
      getHealth: describeHealth,
      getDestination: describeDestination,
      listAlerts: describeAlerts,
      getEventNames: describeNames,
    },
  });
  addEraseCommand(admin, client, show, person);
  return admin;
}

const isTerminal = process.stdin.isTTY && process.stdout.isTTY;

export const command = createAdminCommand(
  createAdminClient(() => readTarget(process.env)),
  process.stdout,
  isTerminal ? openTerminal() : undefined,
);
