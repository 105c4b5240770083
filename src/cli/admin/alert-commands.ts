import { Argument, type Command, Option } from 'commander';
import { messageList } from '../../admin/views/alert-messages.ts';
import { conditionNames } from '../../domain/health/condition.ts';
import { unitsMs } from '../../domain/moment.ts';
import { UsageError } from '../usage-error.ts';
import type { AdminClient } from './client.ts';
import { table } from './layout.ts';
import { filtered, showList } from './list-commands.ts';
import type { Query, Show } from './options.ts';

interface Told {
  readonly channel: string;
  readonly by: string;
  readonly at: string;
}

interface Shown {
  readonly watchedAt: string | null;
  readonly alerts: readonly {
    readonly condition: string;
    readonly text: string;
    readonly phase: string;
    readonly audience: string;
    readonly since: string;
    readonly because: string | null;
    readonly told: readonly Told[];
  }[];
  readonly silences: readonly { readonly condition: string; readonly until: string; readonly by: string }[];
  readonly messages: readonly {
    readonly channel: string;
    readonly title: string;
    readonly madeAt: string;
    readonly toldAt: string | null;
    readonly toldBy: string | null;
    readonly failures: number;
    readonly lastError: string | null;
  }[];
}

/** Adds the commands of alerts. */
export function addAlertCommands(admin: Command, client: AdminClient, show: Show): void {
  const alerts = admin
    .command('alerts')
    .description('list what is wrong, and what was told to whom')
    .action(async () => show(await client.get('/alerts'), describeAlerts));

  filtered(
    alerts.command('messages').description('list what channels were told, the newest first'),
    messageList,
  ).action((query: Query) => showList({ client, show, list: messageList }, query));

  alerts
    .command('test [channel]')
    .description('send a channel, or all of them, a message that says that it is a test')
    .action(async (channel: string | undefined) => {
      const answer = await client.post('/alerts/test', channel === undefined ? {} : { channel });
      show(answer, ({ results }) => table(results));
      if (answer.results.some((it: { readonly isDelivered: boolean }) => !it.isDelivered)) process.exitCode = 1;
    });

  const condition = () => new Argument('<condition>', 'what is told').choices(conditionNames);
  alerts
    .command('silence')
    .addArgument(condition())
    .description('tell nobody of a condition for a time')
    .addOption(new Option('--for <duration>', 'such as 90m, 2h or 3d').argParser(parseMinutes).makeOptionMandatory())
    .action(async (name: string, { for: minutes }: { readonly for: number }) =>
      show(
        await client.post(`/alerts/${name}/silence`, { minutes }),
        ({ until }) => `Nobody is told of it until ${until}.`,
      ),
    );

  alerts
    .command('unsilence')
    .addArgument(condition())
    .description('end the silence of a condition; what is open is told then')
    .action(async (name: string) => show(await client.post(`/alerts/${name}/unsilence`), () => 'It is told again.'));
}

function parseMinutes(text: string): number {
  const [, amount, unit] = /^(\d+)([mhd])$/.exec(text) ?? [];
  const ms = Number(amount) * unitsMs[unit as keyof typeof unitsMs];
  if (ms > 0) return ms / unitsMs.m;
  throw new UsageError(`--for must be a duration like 90m, 2h or 3d, not "${text}"`);
}

function describeAlerts({ watchedAt, alerts, silences, messages }: Shown): string {
  const parts = [
    watchedAt === null && 'Nobody is notified: no channel is configured (ALERTS_FILE).',
    alerts.length === 0 ? 'Nothing is wrong.' : table(alerts.map(alertCells)),
    silences.length > 0 && `Silenced\n${table(silences.map((it) => ({ ...it })))}`,
    messages.length > 0 && `Messages\n${table(messages.map(messageCells))}`,
  ];
  return parts.filter(Boolean).join('\n\n');
}

const alertCells = ({ condition, phase, since, text, because, audience, told }: Shown['alerts'][number]) => ({
  condition,
  phase,
  since,
  what: text,
  because,
  for: audience || 'everything',
  told: told.map(({ channel, by, at }) => `${channel}${by === channel ? '' : ` (by ${by})`} ${at}`).join(', '),
});

const messageCells = ({ title, toldAt, toldBy, ...it }: Shown['messages'][number]) => ({
  made: it.madeAt,
  channel: it.channel,
  message: title,
  confirmed: toldAt === null ? 'not yet' : `${toldAt}${toldBy === it.channel ? '' : ` by ${toldBy}`}`,
  failures: it.failures,
  'last error': it.lastError,
});
