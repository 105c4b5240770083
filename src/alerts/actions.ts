import { z } from 'zod';
import { actionsWith } from '../admin/action.ts';
import { describeActor, done } from '../admin/audit.ts';
import { instant } from '../admin/views/view.ts';
import { LONGEST_SILENCE_MS } from '../domain/health/alert.ts';
import { type ConditionName, conditionNames } from '../domain/health/condition.ts';
import { found } from '../http/problem.ts';
import type { Alerts } from './tables/alerts.ts';

export interface AlertParts {
  readonly alerts: Pick<Alerts, 'silence' | 'unsilence'>;
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

export const alertActions = [silence, unsilence];
