import { z } from 'zod';
import { LONGEST_TIMER_MS } from '../../base/moment.ts';
import { kindOf, sweptKinds } from '../../domain/catalogue/subject.ts';
import { mainKind } from '../../domain/kinds/kinds.ts';
import { type GivenLimits, openStagesOf } from '../../domain/lifecycle/stage.ts';
import { DURATION, days, duration, list, pairs, toMilliseconds, wholeNumber } from '../../forms/forms.ts';

/** By stage or by customer and stage, parsed in milliseconds; `none` drops the defaults, too. */
const stageLimits = pairs(
  new RegExp(`^none$|^([\\w-]+:)?(${openStagesOf(mainKind).join('|')})=${DURATION}$`),
  'created=86400000,418:picked=1h, with limits in milliseconds or as 90s, 15m, 1h, 2d; or none',
)
  .transform((given) => given.map(([stage, limit]) => [stage, toMilliseconds(limit)] as const))
  .refine((given) => given.length < 2 || given.every(([stage]) => stage !== 'none'), 'must have none alone')
  .refine(
    (limits) => limits.every(([, limit = 0]) => Number(limit) <= LONGEST_TIMER_MS),
    `must have limits of at most ${LONGEST_TIMER_MS} milliseconds`,
  )
  .transform(
    (limits): GivenLimits =>
      limits[0]?.[0] === 'none' ? 'none' : Object.fromEntries(limits.map(([stage, limit]) => [stage, Number(limit)])),
  );

export const retention = {
  RETAIN_BODIES_DAYS: days
    .default(7)
    .describe(
      'Retention in days: the bodies of webhooks whose events were recorded, these events, their deduplication keys, quarantined webhooks, the bodies of acknowledged announcements, and records of the warehouse. Lifecycles are kept for good.',
    ),
  RETAIN_EVENTS_DAYS: days.default(14),
  RETAIN_KEYS_DAYS: days.default(30),
  RETAIN_QUARANTINE_DAYS: days.default(90),
  RETAIN_ANNOUNCEMENTS_DAYS: days.default(30),
  RETAIN_RESOURCES_DAYS: days.default(30),
  RETAIN_AUDIT_DAYS: days.default(365).describe('The audit log, who changed what, and notes.'),
};

export const subjects = {
  GRACE_PERIOD_MS: duration()
    .default(86_400_000)
    .describe(
      'How long the workflow of a subject that is closed, canceled or deleted waits for late events before it completes.',
    ),
  SIGNALS_PER_RUN: wholeNumber(1, 9000)
    .default(2000)
    .describe('The number of signals after which a workflow continues as new; Temporal ends a run at 10,000.'),
  ORDER_STAGE_LIMITS: stageLimits.describe(
    'How long an order may stay in a stage before it is announced as stalled, in general and for a customer: created=1d,picked=1h,418:picked=30m. A stage without one has the usual limit: a week until allocation, four days in each later stage; none turns all of them off.',
  ),
};

export const reconciliation = {
  RECONCILE_EVERY_MS: duration()
    .refine((every) => every === 0 || every >= 1000, 'must be 0 or at least 1000')
    .default(3_600_000)
    .describe('The interval of reconciliation, which finds events that were lost; 0 for never.'),
  RECONCILE_KINDS: list
    .pipe(z.array(z.enum(sweptKinds)))
    .default(sweptKinds.filter((kind) => !kindOf(kind).isIdGuessed))
    .describe(`The kinds that are compared: ${sweptKinds.join(', ')}.`),
};
