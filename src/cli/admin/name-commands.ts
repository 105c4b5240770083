import { Argument, type Command, Option } from 'commander';
import { ANY_FAMILY, meaning } from '../../admin/name-actions.ts';
import { families } from '../../domain/catalogue/catalogue.ts';
import type { AdminClient } from './client.ts';
import { table } from './layout.ts';
import type { Show } from './options.ts';

interface Shown {
  readonly unknown: readonly {
    readonly name: string;
    readonly family: string | null;
    readonly count: number;
    readonly firstReceivedAt: string;
    readonly looksLike: string | null;
  }[];
  readonly accepted: readonly { readonly key: string; readonly as: string; readonly at: string; readonly by: string }[];
}

interface Of {
  readonly of: string;
}

/** Adds the commands of names that the catalogue does not have. */
export function addNameCommands(admin: Command, client: AdminClient, show: Show): void {
  const names = admin
    .command('names')
    .description('list the names of events that nobody knows, and those that were accepted or ignored')
    .action(async () => show(await client.get('/event-names'), describeNames));
  const of = () =>
    new Option('--of <family>', 'what the messages are about').choices([ANY_FAMILY, ...families]).default(ANY_FAMILY);
  const pathOf = (name: string, family: string) => `/event-names/${family}/${encodeURIComponent(name)}`;

  names
    .command('accept')
    .argument('<name>')
    .addArgument(new Argument('<as>', 'event of the catalogue, or ignore').choices(meaning.options))
    .description('give an unknown name a meaning, or ignore it, for what waits and for what comes')
    .addOption(of())
    .action(async (name: string, as: string, { of: family }: Of) =>
      show(
        await client.post(`${pathOf(name, family)}/accept`, { as }),
        ({ key, ingested }) => `${key} is ${as === 'ignore' ? 'ignored' : `accepted as ${as}`}; ${ingested} ingested.`,
      ),
    );

  names
    .command('forget')
    .argument('<name>')
    .description('take the meaning of a name back')
    .addOption(of())
    .action(async (name: string, { of: family }: Of) =>
      show(await client.post(`${pathOf(name, family)}/forget`), ({ key, was }) => `${key} is no longer ${was}.`),
    );
}

const describeNames = ({ unknown, accepted }: Shown): string =>
  [
    unknown.length === 0 ? 'Every name is known, accepted or ignored.' : table(unknown.map(unknownCells)),
    ...(accepted.length > 0 ? [`Accepted and ignored\n${table(accepted.map((it) => ({ ...it })))}`] : []),
  ].join('\n\n');

const unknownCells = ({ name, family, count, firstReceivedAt, looksLike }: Shown['unknown'][number]) => ({
  name,
  of: family ?? ANY_FAMILY,
  webhooks: count,
  first: firstReceivedAt,
  'looks like': looksLike,
});
