import type { Command } from 'commander';
import { plural } from '../../domain/text.ts';
import { UsageError } from '../usage-error.ts';
import { type AdminClient, unlessMissing } from './client.ts';
import { tenantOf } from './destination-commands.ts';
import type { Show } from './options.ts';

interface Options {
  readonly destination?: string;
  readonly tenant?: string;
}

/** Adds `send-now`: announcements that wait for their next try are sent without the wait. */
export function addSendNowCommand(admin: Command, client: AdminClient, show: Show): void {
  admin
    .command('send-now [id]')
    .description('send an announcement that waits for its next try now, or everything that waits for a destination')
    .option('--destination <name>', 'only to this destination; without an id, everything that waits for it')
    .option('--tenant <id>', 'the warehouse of the destination, if there are several')
    .action(async (id: string | undefined, { destination, tenant }: Options) => {
      if (id !== undefined) {
        const body = { ...(destination !== undefined && { destination }) };
        const answer = await client.post(`/announcements/${encodeURI(id)}/send-now`, body).catch(unlessMissing(id));
        return show(answer, () => 'Being sent now; if it fails again, it waits again.');
      }
      if (destination === undefined) throw new UsageError('send-now takes either an id or --destination');
      const account = await tenantOf(client, destination, { ...(tenant !== undefined && { tenant }) });
      const path = [account, destination].map(encodeURIComponent).join('/');
      show(
        await client.post(`/destinations/${path}/send-now`),
        ({ waiting }) => `Sending ${plural(waiting, 'announcement')} now.`,
      );
    });
}
