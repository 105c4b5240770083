import { z } from 'zod';
import { actionsWith } from '../admin/action.ts';
import { describeActor, done } from '../admin/audit.ts';
import { text } from '../admin/queries.ts';
import { count, instant, listOf } from '../admin/views/view.ts';
import { LONGEST_SILENCE_MS } from '../domain/health/alert.ts';
import { type ConditionName, conditionNames } from '../domain/health/condition.ts';
import { found, Problem } from '../http/problem.ts';
import type { OpenChannels } from './open-channels.ts';
import type { Alerts } from './tables/alerts.ts';

export interface AlertParts {
  readonly alerts: Pick<Alerts, 'silence' | 'unsilence'>;
  readonly channels: Pick<OpenChannels, 'open'> | undefined;
}

const defineAction = actionsWith<AlertParts>();

const params = z.object({ condition: z.enum(conditionNames).describe('Name of the condition.') });

const target = (condition: ConditionName) => ({ type: 'alert', id: condition }) as const;

const MINUTE_MS = 60_000;

const LONGEST = LONGEST_SILENCE_MS / MINUTE_MS;

const silence = defineAction({
  path: '/alerts/{condition}/silence',
  id: 'silenceAlerts',
  summary: 'Silences a condition for some minutes',
  tag: 'Alerts',
  description:
    'Mutes notifications of one condition, for planned work. The board still shows it, and anything still wrong is reported when the silence ends. Repeating it sets a new end.',
  params,
  body: z.object({
    minutes: z.coerce.number<number>().int().min(1).max(LONGEST).describe('For how long, from now on.'),
  }),
  answers: { 200: { SilencedAlerts: z.object({ condition: z.enum(conditionNames), until: instant }) } },
  find: async (_deps, { condition }) => condition,
  async run({ alerts }, condition, { body: { minutes }, actor }) {
    const until = new Date(Date.now() + minutes * MINUTE_MS);
    await alerts.silence(condition, until.getTime(), describeActor(actor));
    return { condition, until };
  },
  audit: { action: 'silence', target, end: ({ until }) => done(`until ${until.toISOString()}`) },
  back: () => '/board/alerts',
  notices: { silenced: 'Silenced until then.' },
});

const unsilence = defineAction({
  path: '/alerts/{condition}/unsilence',
  id: 'unsilenceAlerts',
  summary: 'Ends a silence; open alerts are then sent',
  tag: 'Alerts',
  description: 'Notifications resume at once, beginning with what is open. 404 if the condition is not silenced.',
  params,
  answers: { 200: { UnsilencedAlerts: z.object({ condition: z.enum(conditionNames) }) } },
  problems: [404],
  find: async (_deps, { condition }) => condition,
  async run({ alerts }, condition) {
    found((await alerts.unsilence(condition)) || undefined, 'The condition is not silenced.');
    return { condition };
  },
  audit: { action: 'unsilence', target },
  back: () => '/board/alerts',
  notices: { unsilenced: 'Notifications resumed.' },
});

const tested = z.object({ channel: z.string(), isDelivered: z.boolean(), detail: z.string(), ms: count });

const test = defineAction({
  path: '/alerts/test',
  id: 'testAlerts',
  summary: 'Sends a test message to one alert channel, or to all',
  tag: 'Alerts',
  description:
    'Use it after changing `alerts` in `CONFIG_FILE`. A channel that fails is answered 200 with `isDelivered` false and the reason. 404 if there is no such channel, 409 if none is configured.',
  role: 'manage',
  body: z.strictObject({ channel: text.exactOptional().describe('Only this channel. Default: all of them.') }),
  answers: { 200: { TestedChannels: z.object({ results: listOf(tested) }) } },
  problems: [404, 409],
  async find({ channels }) {
    if (channels === undefined)
      throw new Problem(409, 'No channel is configured; add alerts to the file that CONFIG_FILE names.');
    return channels.open;
  },
  async run(_, open, { body: { channel } }) {
    const chosen = open.filter(({ settings }) => channel === undefined || settings.name === channel);
    const names = open.map(({ settings }) => settings.name).join(', ');
    if (chosen.length === 0) throw new Problem(404, `There is no channel ${channel}; there are ${names}.`);
    return { results: await Promise.all(chosen.map((it) => it.test())) };
  },
  audit: {
    action: 'test',
    target: () => ({ type: 'channel', id: 'alerts' }),
    end({ results }) {
      const failed = results.filter(({ isDelivered }) => !isDelivered).map(({ channel }) => channel);
      const names = results.map(({ channel }) => channel).join(', ');
      return failed.length === 0 ? done(names) : { outcome: 'failed', detail: failed.join(', ') };
    },
  },
});

export const alertActions = [silence, unsilence, test];
