import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import type { z } from 'zod';
import { describeGets, describeRefusal } from '../../domain/lifecycle/gets.ts';
import type { shownSubject } from '../../subjects/views/subject/read.ts';
import { createCommand } from '../command.ts';
import { clean } from '../output.ts';
import { addCallCommands } from './call-commands.ts';
import { type AdminClient, createAdminClient, readTarget } from './client.ts';
import { addEraseCommand } from './erase.ts';
import { describeAnswer, NOTHING, type Show } from './layout.ts';

type Subject = z.input<typeof shownSubject>;

/** Webhooks, retrievals and announcements in one line each, by their times. */
function describeSubject({ announcements, retrievals, webhooks, ...subject }: Subject): string {
  const timeline = [
    ...webhooks.map(
      ({ receivedAt, event, eventId, observedAt }) =>
        `${receivedAt} webhook ${event ?? ''} (${eventId})${observedAt === null ? ' waits to be recorded' : ''}`,
    ),
    ...retrievals.map((it) => `${it.at} ${describeRetrieval(it)}`),
    ...announcements.map((it) => `${it.createdAt} ${describeAnnouncement(it)}`),
  ];
  return `${describeAnswer(subject)}\n\nTimeline\n${timeline.map(clean).sort().join('\n') || NOTHING}`;
}

const describeRetrieval = ({ gets, refused, failure }: Subject['retrievals'][number]): string =>
  [
    failure === null ? describeGets(gets) : `failed at first: ${describeRefusal(failure)}`,
    ...refused.map((it) => `refused: ${describeRefusal(it)}`),
  ].join(' · ');

const describeAnnouncement = ({ id, destination, state, lastError }: Subject['announcements'][number]): string =>
  `${id} ${destination === null ? 'for no destination' : `to ${destination}: ${state}`}${lastError === null ? '' : ` (${lastError})`}`;

export function createAdminCommand(client: AdminClient, output: Writable): Command {
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
  addCallCommands(admin, {
    client,
    show,
    formats: { getSubject: describeSubject },
  });
  addEraseCommand(admin, client, show);
  return admin;
}

export const command = createAdminCommand(
  createAdminClient(() => readTarget(process.env)),
  process.stdout,
);
